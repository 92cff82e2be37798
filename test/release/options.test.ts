import { readOptions } from "../../scripts/release/options";

describe("npm run release", () => {
  test("without options, a release has all five platforms and no signature", () => {
    const { platforms, key } = readOptions([], {});
    expect(platforms).toEqual([
      "darwin_amd64",
      "darwin_arm64",
      "linux_amd64",
      "linux_arm64",
      "windows_amd64",
    ]);
    expect(key).toBeUndefined();
  });

  test("the signing key comes from --gpg-key or --key, and otherwise from GPG_KEY", () => {
    const env = { GPG_KEY: "AAAA" };
    expect(readOptions([], env).key).toEqual({ fingerprint: "AAAA" });
    expect(readOptions(["--gpg-key", "BBBB"], env).key).toEqual({ fingerprint: "BBBB" });
    expect(readOptions(["--key", "secret.asc"], env).key).toEqual({ file: "secret.asc" });
    expect(readOptions([], { GPG_KEY: "" }).key).toBeUndefined();
  });

  test.each([
    ["an unknown option", ["--sign"], /--sign/],
    [
      "a platform without Node",
      ["--platform", "plan9_arm"],
      /no Node for plan9_arm: choose from darwin_amd64/,
    ],
    ["two keys", ["--key", "secret.asc", "--gpg-key", "AAAA"], /not both/],
  ])("the release script refuses %s", (_what, words, message) => {
    expect(() => readOptions(words, {})).toThrow(message);
  });
});
