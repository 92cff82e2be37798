// Made from src/plugin/proto/go-plugin.proto by scripts/generate.ts. Change that file.
import { Message, method } from "../codec";

interface ConnInfo {
  readonly serviceId: number;
  readonly network: string;
  readonly address: string;
}
const ConnInfo: Message<ConnInfo> = new Message(() => [
  ["serviceId", 1, "uint32"],
  ["network", 2, "string"],
  ["address", 3, "string"],
]);

type Empty = Readonly<Record<string, never>>;
const Empty: Message<Empty> = new Message(() => []);

interface StdioData {
  readonly channel: "INVALID" | "STDOUT" | "STDERR";
  readonly data: Uint8Array;
}
const StdioData: Message<StdioData> = new Message(() => [
  ["channel", 1, ["INVALID", "STDOUT", "STDERR"]],
  ["data", 2, "bytes"],
]);

export const GRPC_BROKER_SERVICE = {
  StartStream: method("bidirectional-streaming", "/plugin.GRPCBroker/StartStream", ConnInfo, ConnInfo),
};

export const GRPC_CONTROLLER_SERVICE = {
  Shutdown: method("unary", "/plugin.GRPCController/Shutdown", Empty, Empty),
};

export const GRPC_STDIO_SERVICE = {
  StreamStdio: method("server-streaming", "/plugin.GRPCStdio/StreamStdio", Empty, StdioData),
};
