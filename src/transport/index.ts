export { GrpcServer } from "./grpc-server";
export type { Procedure, Procedures } from "./procedure";
export { listen } from "./socket";
