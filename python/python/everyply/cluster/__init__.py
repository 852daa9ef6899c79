"""Books and whole games on many machines, by Dask: `python -m everyply.cluster --help`.

A driver cuts the work into pieces of seconds, and workers do them. Workers may join, leave and die
at any moment. If the driver dies, the same command continues.
"""
