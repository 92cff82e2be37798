import { CASES, embeddedAnswer } from "./references";

const nameOf = ({ at, ref, more = {} }: (typeof CASES)[number]) =>
  `${ref} of the ${at} ${JSON.stringify(more)}`;

describe("The embedded engine's verdict on a reference", () => {
  test("the test table of references has at least 100 references that Terraform rejects", () => {
    expect(CASES.filter(({ is }) => is === "wrong").length).toBeGreaterThanOrEqual(100);
    expect(new Set(CASES.map(nameOf)).size).toBe(CASES.length);
  });

  test.each(CASES.map((one) => [nameOf(one), one] as const))(
    "the embedded engine accepts or rejects the reference as Terraform does: %s",
    (_, one) => {
      const { verdict, text } = embeddedAnswer(one);
      expect({ verdict, text }).toMatchObject({ verdict: one.here ?? one.is });
      if (
        /\.(idd|deploy_access_level)\b/.test(nameOf(one)) &&
        !/\.(c|many)\.idd/.test(nameOf(one)) &&
        verdict === "wrong"
      )
        expect(text).toMatch(
          /Did you mean|its only instance has no key|and therefore several instances|whole objects/,
        );
    },
  );
});
