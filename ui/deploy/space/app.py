"""The entry of a Hugging Face Space: the page, open to everyone who can see the Space."""

from ui.cli import main

if __name__ == "__main__":
    main(["serve", "--host", "0.0.0.0", "--port", "7860"])  # noqa: S104 - a Space is public
