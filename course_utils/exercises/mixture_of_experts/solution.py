def mixture_of_experts(gates, expert_outputs):
    weighted = gates[:, :, None] * expert_outputs  # (N, E, D)
    return weighted.sum(axis=1)  # (N, D)
