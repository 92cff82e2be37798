import { readObject } from "../values/read-value";
import { writeObject } from "../values/write-value";
import { ofDataSource, operation, required } from "./operation";

export const readDataSource = operation("ReadDataSource", {
  attributes: ofDataSource,
  async handle(session, { typeName: type, config }, attributes) {
    const read = await session.client.readDataSource({
      type,
      config: required(readObject(attributes, config), "configuration"),
    });
    return { state: writeObject(attributes, read.attributes), diagnostics: read.diagnostics };
  },
});
