"""How people reach Symposia: the command line, the browser and HTTP."""
