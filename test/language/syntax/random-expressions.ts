import fc from "fast-check";

/** A generator of well-typed expressions, as texts. */
type Text = fc.Arbitrary<string>;

const call = (name: string, ...args: Text[]): Text =>
  fc.tuple(...args).map((texts) => `${name}(${texts.join(", ")})`);

const join =
  (open: string, close: string) =>
  (items: Text): Text =>
    fc.array(items, { maxLength: 3 }).map((texts) => open + texts.join(", ") + close);

const tupleOf = join("[", "]");

const NAMES = fc.constantFrom("a", "b", "key", "x_1", "Z", "with space", "é");
const name: Text = NAMES.map((text) => (/^\w+$/.test(text) && text !== "é" ? text : JSON.stringify(text)));

const objectOf = (value: Text): Text =>
  fc
    .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 3 })
    .map((entries) => `{${entries.map(([key, one]) => `${key} = ${one}`).join(", ")}}`);

const WORDS = [
  "",
  "a",
  "b",
  "abc",
  "Hello World",
  "10",
  "2.5",
  "-3",
  "true",
  "x,y,z",
  "ünïcode 🎉",
  " pad ",
  "a\\nb\\tc",
];
const quoted: Text = fc
  .constantFrom(...WORDS, "$${x}", "100%", "%%{y}", 'q\\"q\\\\')
  .map((text) => `"${text}"`);

const whole: Text = fc
  .integer({ min: -20, max: 20 })
  .map((value) => (value < 0 ? `(${value})` : String(value)));
const decimal: Text = fc.constantFrom("0.1", "2.5", "1e3", "9007199254740993", "123456789.123456789", "0");

/**
 * The generators of one level, by the type of the expression. An expression of a level contains expressions of the level
 * below. Level 0 has only literals.
 */
interface Level {
  readonly string: Text;
  readonly number: Text;
  readonly bool: Text;
  readonly strings: Text;
  readonly numbers: Text;
  readonly map: Text;
  readonly any: Text;
}

const LITERALS: Level = {
  string: fc.oneof(
    { arbitrary: quoted, weight: 8 },
    fc.constantFrom("terraform_data.unknown.id", 'sensitive("s")'),
  ),
  number: fc.oneof(
    { arbitrary: whole, weight: 6 },
    { arbitrary: decimal, weight: 2 },
    fc.constantFrom("sensitive(7)"),
  ),
  bool: fc.constantFrom("true", "false"),
  strings: tupleOf(quoted),
  numbers: tupleOf(whole),
  map: objectOf(quoted),
  any: fc.oneof(quoted, whole, fc.constantFrom("null", "true", "[]", "{}", "terraform_data.open.output")),
};

const binary = (left: Text, operators: readonly string[], right: Text): Text =>
  fc.tuple(left, fc.constantFrom(...operators), right).map(([a, op, b]) => `(${a} ${op} ${b})`);

const choice = (condition: Text, value: Text): Text =>
  fc.tuple(condition, value, value).map(([c, a, b]) => `(${c} ? ${a} : ${b})`);

function level(lower: Level): Level {
  const { string, number, bool, strings, numbers, map, any } = lower;
  const lists = fc.oneof(call("tolist", strings), call("toset", strings), strings);
  const scalar = fc.oneof(string, number, bool);
  return {
    string: fc.oneof(
      LITERALS.string,
      fc.tuple(string, scalar).map(([a, b]) => `"<\${${a}}|\${${b}}>"`),
      fc.tuple(bool, string).map(([c, a]) => `"%{ if ${c} }\${${a}}%{ else }no%{ endif }"`),
      fc.tuple(lists).map(([items]) => `"%{ for i, x in ${items} }\${x}; %{ endfor }"`),
      call("upper", string),
      call("title", string),
      call("strrev", string),
      call("trimspace", string),
      call("trim", string, quoted),
      call("replace", string, quoted, string),
      call("substr", string, fc.constantFrom("0", "1", "-2"), fc.constantFrom("-1", "0", "2", "5")),
      call("join", quoted, lists),
      call("tostring", scalar),
      call("format", fc.constant('"%s/%v"'), string, any),
      call("format", fc.constant('"%05.2f|%d|%x"'), number, whole, whole),
      call("jsonencode", any),
      call("yamlencode", any),
      call("sha1", string),
      call("base64encode", string),
      call("urlencode", string),
      call("coalesce", string, string),
      call("try", fc.constantFrom("null.a", "[][0]", 'tonumber("x")'), string),
      choice(bool, string),
    ),
    number: fc.oneof(
      LITERALS.number,
      binary(number, ["+", "-", "*"], number),
      binary(number, ["/", "%"], fc.constantFrom("3", "7", "0.5", "-4")),
      call("length", any),
      call("length", string),
      call("abs", number),
      call("floor", number),
      call("ceil", number),
      call("max", number, number),
      call("min", number, number, number),
      call("signum", whole),
      call("parseint", fc.constantFrom('"ff"', '"10"'), fc.constantFrom("16", "36")),
      fc.tuple(numbers).map(([items]) => `sum(concat([0], ${items}))`),
      fc.tuple(number).map(([one]) => `-${one.startsWith("-") ? `(${one})` : one}`),
      choice(bool, number),
    ),
    bool: fc.oneof(
      LITERALS.bool,
      binary(any, ["==", "!="], any),
      binary(number, ["<", "<=", ">", ">="], number),
      binary(bool, ["&&", "||"], bool),
      fc.tuple(bool).map(([one]) => `!${one}`),
      call("contains", fc.oneof(strings, numbers), scalar),
      call("startswith", string, quoted),
      call("endswith", string, quoted),
      call("strcontains", string, quoted),
      call("can", any),
      call("alltrue", tupleOf(bool)),
      call("anytrue", tupleOf(bool)),
      call("issensitive", any),
    ),
    strings: fc.oneof(
      LITERALS.strings,
      tupleOf(string),
      call("split", fc.constant('","'), string),
      call("sort", strings),
      call("distinct", strings),
      call("compact", strings),
      call("reverse", strings),
      call("concat", strings, strings),
      call("flatten", tupleOf(fc.oneof(string, strings))),
      call("keys", map),
      call("formatlist", fc.constant('"%s-%s"'), strings, string),
      call("regexall", fc.constantFrom('"[a-z]+"', '"\\\\d"', '"(?i)A|B"'), string),
      fc.tuple(strings, bool).map(([items, c]) => `[for x in ${items} : upper(x) if x != "" || ${c}]`),
      fc.tuple(strings).map(([items]) => `[for i, x in ${items} : "\${i}\${x}"]`),
      fc.tuple(map).map(([items]) => `[for k, v in ${items} : k]`),
      fc.tuple(strings).map(([items]) => `${items}[*]`),
      fc.tuple(strings).map(([items]) => `[for x in ${items} : {v = x}][*].v`),
      choice(bool, strings),
    ),
    numbers: fc.oneof(
      LITERALS.numbers,
      tupleOf(number),
      call("range", fc.constantFrom("0", "3", "-2")),
      fc.tuple(numbers).map(([items]) => `[for x in ${items} : x * 2]`),
      call("distinct", numbers),
      call("setproduct", numbers, numbers),
      fc.tuple(numbers).map(([items]) => `tolist(toset(${items}))`),
      call("concat", numbers, numbers),
    ),
    map: fc.oneof(
      LITERALS.map,
      objectOf(any),
      call("merge", map, map),
      call("tomap", objectOf(string)),
      fc.tuple(strings, strings).map(([a]) => `zipmap(distinct(${a}), distinct(${a}))`),
      fc.tuple(strings).map(([items]) => `{for i, x in ${items} : x => i...}`),
      fc.tuple(map).map(([items]) => `{for k, v in ${items} : upper(k) => v...}`),
      fc.tuple(map, bool).map(([items, c]) => `{for k, v in ${items} : k => [v] if ${c}}`),
      choice(bool, map),
    ),
    any: fc.oneof(
      LITERALS.any,
      string,
      number,
      bool,
      strings,
      numbers,
      map,
      tupleOf(any),
      objectOf(any),
      call("tolist", strings),
      call("toset", fc.oneof(strings, numbers)),
      call("toset", tupleOf(objectOf(whole).map((one) => `merge({a = 0}, ${one})`))),
      call("sensitive", any),
      call("setunion", strings, strings),
      call("setintersection", strings, strings),
      call("setsubtract", strings, strings),
      call("chunklist", strings, fc.constantFrom("1", "2")),
      call("values", map),
      call("lookup", map, quoted, string),
      call("one", tupleOf(any)),
      call("jsondecode", call("jsonencode", any)),
      call("yamldecode", call("yamlencode", any)),
      call(
        "try",
        fc.tuple(any).map(([one]) => `${one}.a`),
        any,
      ),
      fc.tuple(any).map(([one]) => `[${one}][*]`),
      fc.tuple(any, any).map(([a, b]) => `[${a}, ${b}][1]`),
      fc.tuple(any).map(([one]) => `{a = {b = ${one}}}.a["b"]`),
      choice(bool, any),
    ),
  };
}

/** Generates expressions of any type. All expressions are well-formed, and most are well-typed. */
export const expressions: Text = level(level(level(LITERALS))).any;
