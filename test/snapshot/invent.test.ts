import {
  inventDomain,
  inventEmail,
  inventName,
  inventPath,
  inventPattern,
  inventSlug,
  inventText,
} from "../../src/snapshot/anonymize";

test("each release invents the same name for the same original name in an anonymized snapshot", () => {
  expect(inventPath("acme/web-shop")).toBe("crisp-pine-25834b0e/rapid-moose-5054c548");
  expect(inventName("Maya Lindqvist")).toBe(inventName("Maya Lindqvist"));
  expect(inventText("Everything")).toMatch(/^About the \w+ \w+, [0-9a-f]{8}$/);
});

test("the invented path of Maya/notes begins with the invented username of maya", () => {
  expect(inventPath("Maya/notes").split("/")[0]).toBe(inventSlug("maya"));
});

test("the invented address of Maya@example.com begins with the invented username of maya", () => {
  expect(inventEmail("Maya@example.com")).toBe(`${inventSlug("maya")}@example.com`);
  expect(inventEmail("maya@corp.example")).toBe(`${inventSlug("maya")}@${inventDomain("corp.example")}`);
});

test("an invented pattern contains the invented names of the original paths, and the original wildcards", () => {
  const [acme, web] = [inventSlug("acme"), inventSlug("web")];
  expect(inventPattern("acme/web/*")).toBe(`${acme}/${web}/*`);
  expect(inventPattern("acme/web-*")).toBe(`${acme}/${inventSlug("web-")}*`);
  expect(inventPattern("*")).toBe("*");
});

test("patterns that differ only in letter case get different invented patterns", () => {
  expect(inventPattern("acme/Web")).not.toBe(inventPattern("acme/web"));
});

test("an invented display name differs from the invented username, because a fixture omits a name that equals the username", () => {
  expect(inventName("maya")).not.toBe(inventSlug("maya"));
});
