/** The kinds of texts: prose on pages, the changelog, comments, titles of tests, printed messages, and help. */
export type Kind = "page" | "changelog" | "comment" | "title" | "message" | "help";

/** A phrase that is hard to read, with the words to use instead. */
export interface Pattern {
  readonly name: string;
  readonly find: RegExp;
  readonly advice: string;
  /** The kinds of texts in which the phrase is searched. By default, these are all kinds. */
  readonly kinds?: readonly Kind[];
}

/** Words after which a clause with "what" is an indirect question and reads well, as in "shows what would change". */
const ASKS =
  /(?<!\b(?:ask|asks|decide|decides|explain|explains|describe|describes|find out|finds out|know|knows|learn|list|lists|match|matches|matter|of|see|sees|show|shows|shown|showing|check|checks|say|says|report|reports|print|prints|define|defines|and|or|about|on|preview|choose|chooses|to) )/
    .source;

const after = (words: string) => new RegExp(`${ASKS}${words}`, "gi");

/** The patterns of the style guide. The patterns ignore code in backquotes, links and quoted values. */
export const PATTERNS: readonly Pattern[] = [
  {
    name: "free-relative",
    find: after(
      "\\b(?:what|whatever) (?:is|are|was|were|has|have|had|it|they|others?|one|no|nobody|a|an|the|this|that|its|" +
        "stays?|left|leaves|somebody|you|we|can|cannot|can't|could|may|must|does|did|do)\\b(?![^.!?]*\\?)",
    ),
    advice: 'name the noun: "live objects", not "what is live"',
  },
  {
    name: "who-clause",
    find: /\b(?:whoever|whichever|those (?:who|whose|that|which|of)|of whom)\b/gi,
    advice: 'name the people or the objects: "users without access", not "those who have none"',
  },
  {
    name: "agent",
    find: /\b(?:nobody|somebody|everybody|no one|nobody's|somebody's)\b/gi,
    advice: 'name who acts, or use the passive: "is not declared", not "nobody declares it"',
  },
  { name: "in-place-of", find: /\bin (?:the )?place of\b/gi, advice: 'write "instead of"' },
  {
    name: "tell",
    find: /\b(?:tells?|told|telling)\b/gi,
    advice: 'write "report", "print", "show", "distinguish" or "list"',
  },
  {
    name: "stand",
    find: /\b(?:stands?|stood|standing)\b(?!-in)/gi,
    advice: 'write "is", "remains" or "means"',
  },
  {
    name: "alone",
    find: /\b(?<!(?:leave|leaves|left|let) (?:it |them )?)alone\b/gi,
    advice: 'write "only", or "without X"',
  },
  { name: "anew", find: /\b(?:anew|afresh|once more)\b/gi, advice: 'write "again"' },
  { name: "beside", find: /\bbeside\b/gi, advice: 'write "next to"' },
  { name: "all-the-same", find: /\b(?:all the same|none the less)\b/gi, advice: 'write "anyway" or "still"' },
  {
    name: "of-its-own",
    find: /\bof (?:its|their|his|her|one's|your|our|my) own\b/gi,
    advice: 'write "its", "separate" or "custom"',
  },
  {
    name: "is-no",
    find: /\b(?<!\b(?:there|that|there) )(?:is|are|was|were|be|being|as) (?:no(?! longer| more| less| such)|none|neither(?![^.]* nor\b))\b/gi,
    advice: 'write "is not a"',
  },
  {
    name: "no-more",
    find: /\b(?:no more(?! than| [a-z]+s\b)|not? .{0,20}any more)\b/gi,
    advice: 'write "no longer"',
  },
  {
    name: "topic-first",
    find: /(?:^|(?<=[.!?] ))Of (?:an?|the|its|each|which|whose|whom|all|one|two|every|several|what|those|these)\b/g,
    advice: "put the subject first",
  },
  {
    name: "it-is-looked",
    find: /\b(?:it is|is it|are|is) (?:looked(?! up)|told|said|asked|waited)\b/gi,
    advice: 'say who does it: "Steward checks the service"',
  },
  {
    name: "missing-noun",
    find: /\b(?:of which|of whose|so many|as many as it|the (?:former|latter)|(?:an?|the|each) (?:ended|other|present|live|new|old|older|newer|right|wrong|first|second|last|former|same) ones?)\b/gi,
    advice: "repeat the noun",
  },
  {
    name: "metaphor",
    find: /\b(?:floors?|strangers?|storyteller|housekeeping|house rules?)\b/gi,
    advice: 'use the term of the field: "layer", "minimum", "module"',
  },
  {
    name: "archaic",
    find: /\b(?:thereby|whereby|therein|thereof|thereto|therefrom|hitherto|whence|lest|hence|thus|ought|upon|amid|amidst|whilst|nay|save for|but for)\b/gi,
    advice: "use ordinary words",
  },
  {
    name: "else",
    find: /\bElse\b(?![\w-])/g,
    advice: 'write "otherwise", or "Alternatives"',
  },
  { name: "say-of", find: /\b(?:says?|said|asks?|asked) of\b/gi, advice: "name what is said about what" },
  {
    name: "worked-out",
    find: /\b(?:worked out|works out|taken over by hand|the day it|as it were|so to speak|comes? of|goes? without)\b/gi,
    advice: 'write "calculated", "results from"',
  },
  {
    name: "opening",
    find: /^(?:What|Where|Who|Whose|Whom|The same)\b(?![^.!?]*\?)/g,
    advice: 'start with a verb or a noun phrase: "Returns …", "The projects …"',
    kinds: ["comment", "title", "message", "help", "changelog"],
  },
  {
    name: "old-behaviour",
    find: /: (?:it|they|this|that|these|those|one|before,? \w+) (?:was|were|did|had|could|would|took|said|showed|read|wrote|failed|counted|\w+ed)\b|\bin place of\b/gi,
    advice: 'state the result: "Fixed: …"',
    kinds: ["changelog"],
  },
];
