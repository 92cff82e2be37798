export type { Procedure, Procedures } from "./call";
export { GrpcServer } from "./grpc-server";
export { listen } from "./socket";
