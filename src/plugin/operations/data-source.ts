import { readObject } from "../values/read-value";
import { writeObject } from "../values/write-value";
import { given, ofDataSource, operation } from "./operation";

export const readDataSource = operation("ReadDataSource", {
  attributes: ofDataSource,
  async answer(session, { typeName: type, config }, attributes) {
    const read = await session.client.readDataSource({
      type,
      config: given(readObject(attributes, config), "configuration"),
    });
    return { state: writeObject(attributes, read.attributes), diagnostics: read.diagnostics };
  },
});
