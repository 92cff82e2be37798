import { defineResource } from "../../../src/provider/define";
import { RESOURCES } from "../../../src/provider/registry";
import { noticeOn } from "../support/notice";

test("a resource definition without an access declaration does not compile", () => {
  const { access, ...undecided } = noticeOn(new Map(), []);
  // @ts-expect-error each resource says what it grants, or that it grants nothing
  expect(defineResource(undecided)).toEqual(undecided);
});

test.each(RESOURCES.map((resource) => [resource.type, resource] as const))(
  "each attribute in the access declaration of %s exists in the resource",
  (_, { attributes, access: { grants, strictness, ...members } }) => {
    const names = Object.values(members).filter((name) => typeof name === "string");
    expect(Object.keys(attributes)).toEqual(
      expect.arrayContaining([...names, ...Object.keys(strictness.attributes)]),
    );
    expect(grants === "nothing").toBe(names.length === 0);
  },
);
