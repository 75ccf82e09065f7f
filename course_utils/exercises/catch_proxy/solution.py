catch_proxy = "the dogs that see the cat runs ."
