"""Books, batches and whole boards on many machines, by Dask: `python -m everyply.cluster --help`.

A driver cuts the work into pieces of seconds, and workers do them. Workers may come, go and die at
any moment, and so may the driver: the same command continues.
"""
