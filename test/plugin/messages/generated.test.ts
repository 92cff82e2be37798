import path from "node:path";
import { differences } from "../../../scripts/generate/generated-files";
import { protocolMessages } from "../../../scripts/plugin/protocol-messages";

test("the generated code of the messages matches the .proto files", async () => {
  expect(await differences(path.join(__dirname, "..", "..", ".."), [protocolMessages()])).toEqual([]);
});
