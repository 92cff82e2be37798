import { FunctionError } from "./function";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @throws FunctionError that blames the first argument, without its text */
export function decodeBase64(text: string): Buffer {
  const plain = text.replace(/[\r\n]/g, "");
  if (!BASE64.test(plain)) throw new FunctionError("it is not base64", 0);
  return Buffer.from(plain, "base64");
}
