// The simulated Dictofun.
