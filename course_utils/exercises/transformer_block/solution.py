def transformer_block(X, attend, think, norm):
    Z = X + attend(norm(X))  # the tokens exchange
    return Z + think(norm(Z))  # each thinks for itself
