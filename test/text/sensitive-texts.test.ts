import * as fc from "fast-check";
import { SENSITIVE, SensitiveTexts } from "../../src/text/sensitive-texts";

function withTexts(...values: unknown[]): SensitiveTexts {
  const texts = new SensitiveTexts();
  for (const value of values) texts.keep(value);
  return texts;
}

describe("an id is shown without", () => {
  test.each([
    ["a name", "42:staging", "staging", "42:(sensitive value)"],
    ["a short name", "42:qa", "qa", "42:(sensitive value)"],
    ["a name in another case", "42:ana@example.com", "Ana@Example.com", "42:(sensitive value)"],
    ["a number", "42:staging", 42, "(sensitive value):staging"],
    ["a long text inside of a word", "42:my-production-east", "production", "42:my-(sensitive value)-east"],
    ["all of several", "42:a:b", ["a", { b: "b" }], "42:(sensitive value):(sensitive value)"],
    ["a text that stands there twice", "qa:qa", "qa", "(sensitive value):(sensitive value)"],
  ])("%s", (_, id, value, expected) => {
    expect(withTexts(value).hideInId(id)).toBe(expected);
  });

  test("a short text that is a part of a word is no name, and an empty one is nothing", () => {
    expect(withTexts("prod", "").hideInId("42:production")).toBe("42:production");
    expect(withTexts("İ").hideInId("42:production")).toBe("42:production");
  });
});

describe("a path is shown without", () => {
  test.each([
    [
      "a name",
      "/projects/42/protected_environments/qa",
      "qa",
      "/projects/42/protected_environments/(sensitive value)",
    ],
    [
      "an encoded e-mail",
      "/projects/1/invitations/ana%40example.com",
      "ana@example.com",
      "/projects/1/invitations/(sensitive value)",
    ],
    ["an encoded path", "/projects/acme%2Fshop/pages", "acme/shop", "/projects/(sensitive value)/pages"],
    [
      "a name with an encoded slash in it",
      "/x/review%2Ffeature%20one",
      "review/feature one",
      "/x/(sensitive value)",
    ],
    ["a lower-case encoding", "/x/review%2ffeature", "review/feature", "/x/(sensitive value)"],
  ])("%s", (_, path, text, expected) => {
    expect(withTexts(text).hideInPath(path)).toBe(expected);
  });

  test("a broken encoding harms nothing", () => {
    expect(withTexts("qa").hideInPath("/x/%E0%A4%A/qa")).toBe("/x/%E0%A4%A/(sensitive value)");
  });
});

test("any other text is shown without the long ones, as they are and in the spellings of JSON and addresses", () => {
  const texts = withTexts('say "no" twice', "short");
  expect(texts.hideIn('a say "no" twice b short')).toBe("a (sensitive value) b short");
  expect(texts.hideIn(JSON.stringify({ a: 'say "no" twice' }))).toBe('{"a":"(sensitive value)"}');
  expect(texts.hideIn(`/x/${encodeURIComponent('say "no" twice')}`)).toBe("/x/(sensitive value)");
});

test("whatever stands between the separators of an id or a path is never shown", () => {
  const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /[\p{L}\p{N}]/u.test(text));
  fc.assert(
    fc.property(name, (text) => {
      const texts = withTexts(text);
      expect(texts.hideInId(`:${text}:`)).toContain(SENSITIVE);
      expect(texts.hideInPath(`/x/${encodeURIComponent(text)}`)).toContain(`/${SENSITIVE}`);
    }),
  );
});

test("a message is shown without them in what it quotes and in paths; other words stay", () => {
  expect(
    withTexts("staging", "qa").hideInMessage(
      'The environment "staging" (id "42:qa"), by staging: DELETE /projects/42/protected_environments/qa answered 403.',
    ),
  ).toBe(
    'The environment "(sensitive value)" (id "42:(sensitive value)"), by staging: DELETE /projects/42/protected_environments/(sensitive value) answered 403.',
  );
});

test("without a sensitive text everything is shown as it is", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const none = withTexts();
      expect([none.hideIn(text), none.hideInId(text), none.hideInPath(text)]).toEqual([text, text, text]);
    }),
  );
});
