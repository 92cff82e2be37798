import {
  inventDomain,
  inventEmail,
  inventName,
  inventPath,
  inventPattern,
  inventSlug,
  inventText,
} from "../../src/snapshot/anonymize";

test("invented names are the same in each release, so that two snapshots can be compared", () => {
  expect(inventPath("acme/web-shop")).toBe("crisp-pine-25834b0e/rapid-moose-5054c548");
  expect(inventName("Maya Lindqvist")).toBe(inventName("Maya Lindqvist"));
  expect(inventText("Everything")).toMatch(/^About the \w+ \w+, [0-9a-f]{8}$/);
});

test("a personal namespace has the invented username in any case of letters", () => {
  expect(inventPath("Maya/notes").split("/")[0]).toBe(inventSlug("maya"));
});

test("an address that the service derives from a username is derived from the invented username", () => {
  expect(inventEmail("Maya@example.com")).toBe(`${inventSlug("maya")}@example.com`);
  expect(inventEmail("maya@corp.example")).toBe(`${inventSlug("maya")}@${inventDomain("corp.example")}`);
});

test("an invented pattern uses the invented names of paths and keeps its wildcards", () => {
  const [acme, web] = [inventSlug("acme"), inventSlug("web")];
  expect(inventPattern("acme/web/*")).toBe(`${acme}/${web}/*`);
  expect(inventPattern("acme/web-*")).toBe(`${acme}/${inventSlug("web-")}*`);
  expect(inventPattern("*")).toBe("*");
});

test("patterns that differ only in case stay different, because the service requires it", () => {
  expect(inventPattern("acme/Web")).not.toBe(inventPattern("acme/web"));
});

test("a display name never equals an invented username, because a fixture omits that default", () => {
  expect(inventName("maya")).not.toBe(inventSlug("maya"));
});
