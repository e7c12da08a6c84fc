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
  new MutationObserver(() => {
    // Gradio names each message by its HTML source; a screen reader should read the message itself.
    for (const message of document.querySelectorAll("#chat [data-testid][aria-label]")) {
      message.removeAttribute("aria-label");
    }
    // What is said of a reader's word is read out; the place must be live before words come into it.
    document.getElementById("thanks")?.setAttribute("role", "status");
    // The buttons are gone by then; the keyboard goes on where the next question is asked.
    const isThanked = document.querySelector(".thanks:not(.failed)") !== null;
    const focused = document.activeElement;
    const isLost = focused === document.body || focused?.closest("#feedback");
    if (isThanked && !wasThanked && isLost) {
      document.querySelector("#box textarea")?.focus();
    }
    wasThanked = isThanked;
    // The sources of a new question come first; show them to a reader who was further down.
    const now = document.querySelectorAll("#sources .turn").length;
    if (now > turns) document.getElementById("evidence").scrollTop = 0;
    turns = now;
  }).observe(document.documentElement, { childList: true, subtree: true });
})();
