import * as fc from "fast-check";
import { SENSITIVE, SensitiveTexts } from "../../src/text/safe-text";

function withTexts(...values: unknown[]): SensitiveTexts {
  const texts = new SensitiveTexts();
  for (const value of values) texts.add(value);
  return texts;
}

describe("ids with sensitive values", () => {
  test.each([
    ["a name", "42:staging", "staging", "42:(sensitive value)"],
    ["a short name", "42:qa", "qa", "42:(sensitive value)"],
    ["a name in another case", "42:ana@example.com", "Ana@Example.com", "42:(sensitive value)"],
    ["a number", "42:staging", 42, "(sensitive value):staging"],
    ["a long text within a word", "42:my-production-east", "production", "42:my-(sensitive value)-east"],
    ["all of several", "42:a:b", ["a", { b: "b" }], "42:(sensitive value):(sensitive value)"],
    ["a text that occurs twice", "qa:qa", "qa", "(sensitive value):(sensitive value)"],
  ])("an id is redacted: %s", (_, id, value, expected) => {
    expect(withTexts(value).redactId(id)).toBe(expected);
  });

  test("a short sensitive text within a longer word of an id is not redacted", () => {
    expect(withTexts("prod", "").redactId("42:production")).toBe("42:production");
    expect(withTexts("İ").redactId("42:production")).toBe("42:production");
  });
});

describe("paths with sensitive values", () => {
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
      "a name with an encoded slash",
      "/x/review%2Ffeature%20one",
      "review/feature one",
      "/x/(sensitive value)",
    ],
    ["a lower-case encoding", "/x/review%2ffeature", "review/feature", "/x/(sensitive value)"],
  ])("a path is redacted: %s", (_, path, text, expected) => {
    expect(withTexts(text).redactPath(path)).toBe(expected);
  });

  test("a sensitive value is also redacted in a path with an invalid encoding", () => {
    expect(withTexts("qa").redactPath("/x/%E0%A4%A/qa")).toBe("/x/%E0%A4%A/(sensitive value)");
  });
});

test("outside ids and paths, a sensitive value is redacted if it has eight or more characters", () => {
  const texts = withTexts("12345678", "1234567");
  expect(texts.redactText("a 12345678 b")).toBe("a (sensitive value) b");
  expect(texts.redactText("a 1234567 b")).toBe("a 1234567 b");
});

test("long sensitive values are redacted in any text, also in JSON and URL encodings", () => {
  const texts = withTexts('say "no" twice', "short");
  expect(texts.redactText('a say "no" twice b short')).toBe("a (sensitive value) b short");
  expect(texts.redactText(JSON.stringify({ a: 'say "no" twice' }))).toBe('{"a":"(sensitive value)"}');
  expect(texts.redactText(`/x/${encodeURIComponent('say "no" twice')}`)).toBe("/x/(sensitive value)");
});

test("a sensitive value between two separators of an id or a path is always redacted", () => {
  const name = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /[\p{L}\p{N}]/u.test(text));
  fc.assert(
    fc.property(name, (text) => {
      const texts = withTexts(text);
      expect(texts.redactId(`:${text}:`)).toContain(SENSITIVE);
      expect(texts.redactPath(`/x/${encodeURIComponent(text)}`)).toContain(`/${SENSITIVE}`);
    }),
  );
});

test("in a message, sensitive values in quotes and in paths are redacted, but the same word elsewhere is not", () => {
  expect(
    withTexts("staging", "qa").redactMessage(
      'The environment "staging" (id "42:qa"), by staging: DELETE /projects/42/protected_environments/qa answered 403.',
    ),
  ).toBe(
    'The environment "(sensitive value)" (id "42:(sensitive value)"), by staging: DELETE /projects/42/protected_environments/(sensitive value) answered 403.',
  );
});

test("without sensitive values, every text stays unchanged", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const none = withTexts();
      expect([none.redactText(text), none.redactId(text), none.redactPath(text)]).toEqual([text, text, text]);
    }),
  );
});
