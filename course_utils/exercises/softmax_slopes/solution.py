def softmax_slopes(weights, slopes):
    average = weights @ slopes
    return weights * (slopes - average)
