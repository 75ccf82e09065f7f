def reply(history, said, before, between, end, next_scores, choose, most):
    read = [*history, *before, *said, *between]
    answer = []
    while len(answer) < most:
        token = choose(next_scores(read + answer))  # its own words, too
        if token == end:
            break
        answer.append(token)
    return answer, [*read, *answer, end]
