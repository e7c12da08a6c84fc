"""How the local reader was trained: its questions, and the code that trains it again."""
