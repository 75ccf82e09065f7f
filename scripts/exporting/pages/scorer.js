// A lecture whose topic is what is looked for comes first, before a page that only speaks of it.
// Its topic is its title up to the colon.
// Below that sphinx decides: where a term is defined counts more than headings, headings more than
// text. The place of the definition says
// so: else the same title would stand there twice.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: result => {
    const [, title, , , score, , kind] = result;
    if (kind == 'index') result[1] = `${title} > where it is defined`;
    const words = text =>
        text
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .filter(word => word),
      stemmer = new Stemmer();
    const topic = words(title.split(':')[0]),
      asked = words(new URLSearchParams(location.search).get('q') ?? ''),
      stems = topic.map(word => stemmer.stemWord(word));
    if (!/^\d\d /.test(title) || !asked.length) return score;
    if (asked.every(word => topic.includes(word))) return score + 120;
    return asked.every(word => stems.includes(stemmer.stemWord(word))) ? score + 90 : score;
  }
};
