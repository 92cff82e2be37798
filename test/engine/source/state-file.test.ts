import { backendOf } from "../../../src/engine/source/state-file";
import type { Backend, Configuration } from "../../../src/language/configuration";

const place = (backend: Backend | undefined, state?: string, env: Record<string, string> = {}) => {
  const configuration = { folder: "/app/stacks/web", backend } as Configuration;
  return backendOf({ name: "web", configuration }, state, { folder: "/work", env }).description;
};

describe("the state of a stack is", () => {
  test("in the file that is named, seen from the working folder", () => {
    expect(place({ type: "s3", config: {} }, "my.tfstate")).toBe("/work/my.tfstate");
  });

  test("where the local backend says, seen from the configuration", () => {
    expect(place({ type: "local", config: { path: "/app/terraform.web.tfstate" } })).toBe(
      "/app/terraform.web.tfstate",
    );
    expect(place({ type: "local", config: { path: "../web.tfstate" } })).toBe("/app/stacks/web.tfstate");
  });

  test("beside the configuration, when nothing is said", () => {
    expect(place(undefined)).toBe("/app/stacks/web/terraform.tfstate");
    expect(place({ type: "local", config: {} })).toBe("/app/stacks/web/terraform.tfstate");
  });

  test("behind the address of the http backend, or that of the environment; neither with what is secret", () => {
    const address = "https://ann:secret@states.example/web?key=secret";
    expect(place({ type: "http", config: { address } })).toBe("https://states.example/web");
    expect(place({ type: "http", config: { "//": {} } }, undefined, { TF_HTTP_ADDRESS: address })).toBe(
      "https://states.example/web",
    );
    expect(() => place({ type: "http", config: {} })).toThrow("TF_HTTP_ADDRESS");
  });

  test("in no other backend: that is refused by name, with the way out", () => {
    expect(() => place({ type: "s3", config: {} })).toThrow(
      /"web".*"s3".*--state.*steward exec -- terraform plan/,
    );
  });
});
