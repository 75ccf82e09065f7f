def advantages(rewards, log_p, log_p_ref, leash):
    worth = rewards - leash * (log_p - log_p_ref)  # (n,)
    others = (worth.sum() - worth) / (len(worth) - 1)  # (n,)
    return worth - others
