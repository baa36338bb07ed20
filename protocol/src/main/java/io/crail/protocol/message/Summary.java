// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/**
 * What lies at and below a node; kept up to date by the namenode, so that asking costs one lookup.
 */
public final class Summary {
    private Summary() {}

    /**
     * Request 38.
     *
     * @param path absolute path
     */
    public record Request(byte[] path) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SUMMARY;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.bytes(Names.MAX_PATH));
        }
    }

    /**
     * Reply 38.
     *
     * @param directories number of DIRECTORY nodes, the node itself included
     * @param files number of FILE nodes
     * @param tables number of TABLE nodes
     * @param keyValues number of KEYVALUE nodes
     * @param length sum of committed lengths in bytes
     * @param allocated sum of the bytes of blocks held
     */
    public record Reply(
            long directories, long files, long tables, long keyValues, long length, long allocated)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.SUMMARY;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(directories);
            writer.i64(files);
            writer.i64(tables);
            writer.i64(keyValues);
            writer.i64(length);
            writer.i64(allocated);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64());
        }
    }
}
