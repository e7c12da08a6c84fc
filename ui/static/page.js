// A citation leads to its paper: open what hides it, bring it into view, give it the focus.
(() => {
  document.documentElement.lang = "en";
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.cite, a.back");
    const target = link && document.getElementById(link.hash.slice(1));
    if (!link) return;
    // The page has a <base>, so that following "#id" would load it anew.
    event.preventDefault();
    if (!target) return;
    for (let box = target; box; box = box.parentElement?.closest("details")) {
      if (box.matches("details")) box.open = true;
    }
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ behavior: still ? "auto" : "smooth", block: "start" });
    target.focus({ preventScroll: true });
    target.classList.remove("found");
    void target.offsetWidth;
    target.classList.add("found");
  });
  let turns = 0;
  let wasThanked = false;
  let inShelf = null;
  document.addEventListener("focusin", ({ target }) => {
    inShelf = target.closest("#managed") && target;
  });
  // On a narrow screen the list covers the page; it gives way to what was chosen with it.
  document.addEventListener("click", (event) => {
    // A click on a line clicks the input in it, too; a key on the input is no click on the line.
    const isChosen = event.target.closest?.("#kept label") && !event.target.matches("input");
    if (isChosen && matchMedia("(max-width: 899px)").matches) {
      document.querySelector("#shelf .toggle-button")?.click();
    }
  });
  new MutationObserver(() => {
    // Gradio names each message by its HTML source; a screen reader should read the message itself.
    for (const message of document.querySelectorAll("#chat [data-testid][aria-label]")) {
      message.removeAttribute("aria-label");
    }
    // What is said of a reader's word is read out; the place must be live before words come into it.
    for (const id of ["thanks", "trouble"]) document.getElementById(id)?.setAttribute("role", "status");
    // The buttons are gone by then; the keyboard goes on where the next question is asked.
    const isThanked = document.querySelector(".thanks:not(.failed)") !== null;
    const focused = document.activeElement;
    const isLost = focused === document.body || focused?.closest("#feedback");
    if (isThanked && !wasThanked && isLost) {
      document.querySelector("#box textarea")?.focus();
    }
    wasThanked = isThanked;
    // What was deleted takes its buttons with it.
    if (document.activeElement === document.body && inShelf && !inShelf.checkVisibility()) {
      inShelf = null;
      document.querySelector("#kept input, #box textarea")?.focus();
    }
    // The sources of a new question come first; show them to a reader who was further down.
    const now = document.querySelectorAll("#sources .turn").length;
    if (now > turns) document.getElementById("evidence").scrollTop = 0;
    turns = now;
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
// A list of papers: its heads sort it. Files and what is copied are made from what stands in the page.
(() => {
  const TYPES = { CSV: "text/csv", BibTeX: "text/x-bibtex", Markdown: "text/markdown", JSON: "application/json" };
  const ENDINGS = { CSV: "csv", BibTeX: "bib", Markdown: "md", JSON: "json" };
  const button = (words, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", act);
    return made;
  };
  const sort = (head) => {
    const body = head.closest("table").tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => row.cells[head.cellIndex].textContent.trim();
    const order = (a, b) => key(a).localeCompare(key(b), "en", { numeric: true });
    body.append(...[...body.rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
  };
  const decode = (holder) => {
    const letters = atob(holder.querySelector(".content").textContent);
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  };
  const download = (name, bytes, what) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: TYPES[name] }));
    link.download = `${what}.${ENDINGS[name]}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const copy = async (text, made) => {
    const words = made.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without https a browser has no clipboard for a page; a selection can still be copied.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      made.focus();
    }
    made.textContent = "Copied";
    setTimeout(() => { made.textContent = words; }, 2000);
  };
  new MutationObserver(() => {
    for (const head of document.querySelectorAll("#chat .census th:not(:has(button))")) {
      head.replaceChildren(button(head.textContent, () => sort(head)));
    }
    for (const file of document.querySelectorAll(".file:not(:has(button))")) {
      const name = file.firstChild.textContent;
      const what = file.closest("#exported") ? "conversation" : "papers";
      const made = button(name, () => download(name, decode(file), what));
      made.setAttribute("aria-label", `Download ${name}`);
      file.firstChild.replaceWith(made);
    }
    for (const holder of document.querySelectorAll("#sources .about:not(:has(button))")) {
      holder.firstChild.replaceWith(button(holder.firstChild.textContent, () => {
        const box = document.querySelector("#box textarea");
        // What has been typed already is the question about the paper.
        const typed = box.value.replace(/^In “.*?”, /, "");
        box.value = new TextDecoder().decode(decode(holder)) + typed;
        box.dispatchEvent(new Event("input", { bubbles: true }));
        box.focus();
        box.setSelectionRange(box.value.length, box.value.length);
      }));
    }
    for (const holder of document.querySelectorAll("#sources .copy:not(:has(button))")) {
      const text = () => new TextDecoder().decode(decode(holder));
      const made = button(holder.firstChild.textContent, () => {
        if (made.textContent !== "Copied") copy(text(), made);
      });
      made.setAttribute("aria-live", "polite");
      holder.firstChild.replaceWith(made);
    }
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
// Under the pointer, or with the focus, a marker shows its paper and its quote.
(() => {
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  const add = (kind, words) => {
    if (!words) return;
    const part = document.createElement("p");
    part.className = kind;
    part.textContent = words;
    tip.append(part);
  };
  const show = (link) => {
    const card = document.getElementById(link.hash.slice(1));
    // The browser's own tip would say the quote once more.
    if (link.title) link.dataset.quote = link.title;
    link.removeAttribute("title");
    const title = card?.querySelector("h4, summary > span:not(.number)")?.cloneNode(true);
    title?.querySelectorAll(".number, .short").forEach((part) => part.remove());
    const byline = [...(card?.querySelector(".byline")?.children ?? [])];
    tip.replaceChildren();
    add("title", title?.textContent.trim());
    add("who", byline.map((part) => part.textContent.trim()).join(" · "));
    add("quote", link.dataset.quote && `“${link.dataset.quote}”`);
    if (!tip.childElementCount) return;
    if (!tip.isConnected) document.querySelector(".gradio-container").append(tip);
    tip.hidden = false;
    link.setAttribute("aria-describedby", "tip");
    const at = link.getBoundingClientRect();
    const left = Math.min(at.left, innerWidth - tip.offsetWidth - 8);
    const below = at.bottom + 6;
    const fits = below + tip.offsetHeight < innerHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${fits ? below : Math.max(8, at.top - tip.offsetHeight - 6)}px`;
  };
  const hide = () => { tip.hidden = true; };
  const over = (event) => {
    const link = event.target.closest?.("#chat a.cite");
    if (link) show(link);
    else hide();
  };
  document.addEventListener("mouseover", over);
  document.addEventListener("focusin", over);
  document.addEventListener("click", hide);
  document.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
})();
