"""Books and batches on many machines, by Dask: `python -m everyply.cluster --help`.

A driver cuts the work into pieces of seconds, workers solve them, and the driver alone writes what
they prove. Workers may come, go and die at any moment, and so may the driver: the same command
continues.
"""
