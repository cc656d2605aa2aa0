// The command line; grows with the first verb.
