import {
  inventDomain,
  inventEmail,
  inventName,
  inventPath,
  inventPattern,
  inventSlug,
  inventText,
} from "../../src/snapshot/anonymize";

test("invented names stay the same from release to release, so that two snapshots can be compared", () => {
  expect(inventPath("acme/web-shop")).toBe("crisp-pine-25834b0e/rapid-moose-5054c548");
  expect(inventName("Maya Lindqvist")).toBe(inventName("Maya Lindqvist"));
  expect(inventText("Everything")).toMatch(/^About the \w+ \w+, [0-9a-f]{8}$/);
});

test("a personal namespace has the invented username, and the case of both does not matter", () => {
  expect(inventPath("Maya/notes").split("/")[0]).toBe(inventSlug("maya"));
});

test("an address that the service derives from a username is derived from the invented one", () => {
  expect(inventEmail("Maya@example.com")).toBe(`${inventSlug("maya")}@example.com`);
  expect(inventEmail("maya@corp.example")).toBe(`${inventSlug("maya")}@${inventDomain("corp.example")}`);
});

test("a pattern follows the path's names and keeps its wildcards", () => {
  const [acme, web] = [inventSlug("acme"), inventSlug("web")];
  expect(inventPattern("acme/web/*")).toBe(`${acme}/${web}/*`);
  expect(inventPattern("acme/web-*")).toBe(`${acme}/${inventSlug("web-")}*`);
  expect(inventPattern("*")).toBe("*");
});

test("patterns that differ only in case stay different, as the service requires", () => {
  expect(inventPattern("acme/Web")).not.toBe(inventPattern("acme/web"));
});

test("a display name is never equal to an invented username, which a fixture leaves out as the default", () => {
  expect(inventName("maya")).not.toBe(inventSlug("maya"));
});
