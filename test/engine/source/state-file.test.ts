import { backendOf } from "../../../src/engine/source/state-file";
import type { Backend } from "../../../src/language";

const place = (backend: Backend | undefined, state?: string, env: Record<string, string> = {}) => {
  const settings = { name: "web", folder: "/app/stacks/web", backend };
  return backendOf(settings, state, { folder: "/work", env }).description;
};

describe("the backend of a stack's state", () => {
  test("the path of a state file on the command line is relative to the working folder", () => {
    expect(place({ type: "s3", config: {} }, "my.tfstate")).toBe("/work/my.tfstate");
  });

  test("the path of the local backend is relative to the configuration's folder", () => {
    expect(place({ type: "local", config: { path: "/app/terraform.web.tfstate" } })).toBe(
      "/app/terraform.web.tfstate",
    );
    expect(place({ type: "local", config: { path: "../web.tfstate" } })).toBe("/app/stacks/web.tfstate");
  });

  test("the default state is a file next to the configuration", () => {
    expect(place(undefined)).toBe("/app/stacks/web/terraform.tfstate");
    expect(place({ type: "local", config: {} })).toBe("/app/stacks/web/terraform.tfstate");
  });

  test("the description of the http backend contains the URL of the state without secrets", () => {
    const address = "https://ann:secret@states.example/web?key=secret";
    expect(place({ type: "http", config: { address } })).toBe("https://states.example/web");
    expect(place({ type: "http", config: { "//": {} } }, undefined, { TF_HTTP_ADDRESS: address })).toBe(
      "https://states.example/web",
    );
    expect(() => place({ type: "http", config: {} })).toThrow("TF_HTTP_ADDRESS");
  });

  test("the error of an unsupported backend names the backend and a command that supports it", () => {
    const refused = () => place({ type: "s3", config: {} });
    expect(refused).toThrow(/"web".*"s3".*--state.*run Terraform/);
    expect(refused).toThrow(
      expect.objectContaining({
        diagnostics: [expect.objectContaining({ action: { kind: "other", program: "terraform plan" } })],
      }),
    );
  });
});
