def softmax_with_temperature(scores, temperature):
    return softmax(scores / temperature)
