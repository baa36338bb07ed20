// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.protocol.message.Create;
import io.crail.protocol.node.NodeType;
import java.time.Duration;
import java.util.Optional;

/**
 * How a node is made. Immutable; {@link #DEFAULT} refuses an existing node and missing parents.
 *
 * <pre>{@code
 * CreateOptions.builder().parents(true).overwrite(true).build()
 * }</pre>
 */
public final class CreateOptions {
    public static final CreateOptions DEFAULT = builder().build();

    /** Missing parents are made, an existing directory is success: {@code mkdir -p}. */
    public static final CreateOptions PARENTS = builder().parents(true).existingOk(true).build();

    /** An existing node of the same type is replaced atomically. */
    public static final CreateOptions OVERWRITE = builder().overwrite(true).build();

    private final int flags;
    private final Optional<Boolean> checksums;
    private final int mode;
    private final int storageClass;
    private final Duration lifetime;
    private final String owner;
    private final String group;
    private final String locationClass;
    private final long expectedBytes;

    private CreateOptions(Builder builder) {
        flags = builder.flags;
        checksums = builder.checksums;
        mode = builder.mode;
        storageClass = builder.storageClass;
        lifetime = builder.lifetime;
        owner = builder.owner;
        group = builder.group;
        locationClass = builder.locationClass;
        expectedBytes = builder.expectedBytes;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Size of the FILE if known, else 0. */
    long expectedBytes() {
        return expectedBytes;
    }

    Create.Request toRequest(
            byte[] path, NodeType type, int moreFlags, long bytesWanted, boolean checksumsDefault) {
        int noChecksums = checksums.orElse(checksumsDefault) ? 0 : Create.NO_CHECKSUMS;
        int defaultMode = type.isContainer() ? 0755 : 0644;
        return new Create.Request(
                path,
                type,
                flags | moreFlags | noChecksums,
                mode < 0 ? defaultMode : mode,
                storageClass,
                lifetime.isZero() ? -1 : lifetime.toMillis(),
                bytesWanted,
                bytesWanted > 0,
                owner,
                group,
                locationClass);
    }

    /** Collects the options. Not thread-safe. */
    public static final class Builder {
        private int flags;
        private Optional<Boolean> checksums = Optional.empty();
        private int mode = -1;
        private int storageClass = Create.INHERIT;
        private Duration lifetime = Duration.ZERO;
        private String owner = "";
        private String group = "";
        private String locationClass = "";
        private long expectedBytes;

        private Builder() {}

        /** Replace an existing node of the same type atomically (a container only if empty). */
        public Builder overwrite(boolean on) {
            return flag(Create.OVERWRITE, on);
        }

        /** Make missing parents as directories. */
        public Builder parents(boolean on) {
            return flag(Create.PARENTS, on);
        }

        /** An existing container of the same type is success. */
        public Builder existingOk(boolean on) {
            return flag(Create.EXISTING_OK, on);
        }

        /**
         * The node vanishes, with everything below it, when this client is closed or gone for
         * longer than its session timeout; wherever it was renamed to, and whoever made what is
         * below it. {@link RenameOption#UNBIND} and {@link AttributeChange#unbind} undo that.
         */
        public Builder sessionBound(boolean on) {
            return flag(Create.SESSION_BOUND, on);
        }

        /** Keep and verify checksums; the default is the client's configuration. */
        public Builder checksums(boolean on) {
            this.checksums = Optional.of(on);
            return this;
        }

        /** Permission bits; the default is 0755 for containers and 0644 for the rest. */
        public Builder mode(int bits) {
            if (bits < 0 || bits > 07777) {
                throw new IllegalArgumentException("mode " + bits + " is outside 0..07777");
            }
            this.mode = bits;
            return this;
        }

        /** Storage class 0..255; the default is the parent's. */
        public Builder storageClass(int number) {
            if (number < 0 || number > 255) {
                throw new IllegalArgumentException("storage class " + number + ", not 0..255");
            }
            this.storageClass = number;
            return this;
        }

        /**
         * Time to live from now, with everything below; zero, the default, = without an end. It
         * does not count while the namenode is down.
         */
        public Builder lifetime(Duration timeToLive) {
            if (timeToLive.isNegative()) {
                throw new IllegalArgumentException("lifetime " + timeToLive + " is negative");
            }
            this.lifetime = timeToLive;
            return this;
        }

        /** Owner; the default is the session's user. */
        public Builder owner(String user) {
            this.owner = user;
            return this;
        }

        /** Group; the default is the session's group. */
        public Builder group(String name) {
            this.group = name;
            return this;
        }

        /** Preferred place of the blocks; the default is the client's own. */
        public Builder locationClass(String location) {
            this.locationClass = location;
            return this;
        }

        /** FILE: its size, if known, so that the first grant fits; a hint, not a limit. */
        public Builder expectedBytes(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("expected bytes " + bytes + " are negative");
            }
            this.expectedBytes = bytes;
            return this;
        }

        public CreateOptions build() {
            return new CreateOptions(this);
        }

        private Builder flag(int bit, boolean on) {
            flags = on ? flags | bit : flags & ~bit;
            return this;
        }
    }
}
