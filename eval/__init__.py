"""How Symposia is judged: question sets, metrics over ``rag.Answer``, a runner and a report.

Import from its modules (``from eval.runner import run_eval``); a plain ``import eval`` would
hide the built-in function.
"""
