import { backendOf } from "../../../src/engine/source/state-file";
import type { Backend } from "../../../src/language";

const place = (backend: Backend | undefined, state?: string, env: Record<string, string> = {}) => {
  const settings = { name: "web", folder: "/app/stacks/web", backend };
  return backendOf(settings, state, { folder: "/work", env }).description;
};

describe("the backend of a stack's state", () => {
  test("the given state file is relative to the working folder", () => {
    expect(place({ type: "s3", config: {} }, "my.tfstate")).toBe("/work/my.tfstate");
  });

  test("the path of the local backend is relative to the configuration", () => {
    expect(place({ type: "local", config: { path: "/app/terraform.web.tfstate" } })).toBe(
      "/app/terraform.web.tfstate",
    );
    expect(place({ type: "local", config: { path: "../web.tfstate" } })).toBe("/app/stacks/web.tfstate");
  });

  test("the default state is a file next to the configuration", () => {
    expect(place(undefined)).toBe("/app/stacks/web/terraform.tfstate");
    expect(place({ type: "local", config: {} })).toBe("/app/stacks/web/terraform.tfstate");
  });

  test("a state over HTTP has the address from the backend block or the environment, and its description contains no secrets", () => {
    const address = "https://ann:secret@states.example/web?key=secret";
    expect(place({ type: "http", config: { address } })).toBe("https://states.example/web");
    expect(place({ type: "http", config: { "//": {} } }, undefined, { TF_HTTP_ADDRESS: address })).toBe(
      "https://states.example/web",
    );
    expect(() => place({ type: "http", config: {} })).toThrow("TF_HTTP_ADDRESS");
  });

  test("an unsupported backend is rejected by name, with an alternative", () => {
    const refused = () => place({ type: "s3", config: {} });
    expect(refused).toThrow(/"web".*"s3".*--state.*run Terraform/);
    expect(refused).toThrow(
      expect.objectContaining({
        diagnostics: [expect.objectContaining({ action: { kind: "other", program: "terraform plan" } })],
      }),
    );
  });
});
