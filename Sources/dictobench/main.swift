print("dictobench")
