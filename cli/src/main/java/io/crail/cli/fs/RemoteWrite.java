// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file of crail so that nothing half-written is ever under its name: first to a temporary
 * name beside it, which is then renamed. That of a member is beside the multifile, lest a reader
 * take it for a member. The temporary file goes when anything fails, and when the command is ended
 * by a signal. It is bound to the session, until the rename: so it also goes, a session timeout
 * later, when the command is killed or its host dies.
 */
final class RemoteWrite {
    /** Fills a stream. */
    @FunctionalInterface
    interface Source {
        /** Writes everything to the stream; does not close it. */
        void writeTo(CrailOutputStream out) throws IOException;
    }

    private static final Duration CLEAN_UP = Duration.ofSeconds(2);

    private final Invocation invocation;
    private final CrailClient client;
    private final boolean replace;
    private final Duration lifetime;
    private final @Nullable Integer storageClass;

    /** Whether directories that were written into are multifiles. */
    private final Map<String, Boolean> multiFiles = new ConcurrentHashMap<>();

    /**
     * A writer of files.
     *
     * @param replace whether existing files are replaced
     * @param lifetime time to live of the files, once they are complete; zero = without an end
     * @param storageClass class of the files; null = that of their directory
     */
    RemoteWrite(
            Invocation invocation,
            CrailClient client,
            boolean replace,
            Duration lifetime,
            @Nullable Integer storageClass) {
        this.invocation = invocation;
        this.client = client;
        this.replace = replace;
        this.lifetime = lifetime;
        this.storageClass = storageClass;
    }

    /**
     * Writes one file.
     *
     * @param target its path
     * @param expectedBytes its length if known, else 0
     * @param source what to write
     */
    void write(String target, long expectedBytes, Source source) throws IOException {
        if (!replace && client.lookup(target).isPresent()) {
            throw exists(target);
        }
        Temporary temporary = temporary(target);
        try {
            fill(temporary, expectedBytes, source);
            temporary.renamed(temporary.rename());
        } catch (CrailException e) {
            throw temporary.named(e);
        } finally {
            temporary.end();
        }
    }

    /** Adds a member to a multifile, under a name that nobody else has; returns its path. */
    String writeMember(String multiFile, Source source) throws IOException {
        Temporary temporary = temporary(multiFile);
        try {
            fill(temporary, 0, source);
            String member = temporary.becomeMember();
            temporary.renamed(temporary.rename());
            return member;
        } catch (CrailException e) {
            throw temporary.named(e);
        } finally {
            temporary.end();
        }
    }

    private String besideOf(String target) throws CrailException {
        String parent = CrailPath.parent(target);
        Boolean known = multiFiles.get(parent);
        if (known == null) {
            known = client.lookup(parent).map(Attributes::isMultiFile).orElse(false);
            multiFiles.put(parent, known);
        }
        return known ? parent : target;
    }

    private static void fill(Temporary temporary, long expectedBytes, Source source)
            throws IOException {
        CrailOutputStream out = Outcome.of(temporary.create(expectedBytes));
        boolean complete = false;
        try {
            source.writeTo(out);
            complete = true;
        } finally {
            if (complete) {
                out.close();
            } else {
                out.abort();
            }
        }
    }

    /** A temporary file for one target. */
    Temporary temporary(String target) {
        return new Temporary(target);
    }

    /** The file beside the target while it is being written. Its steps are for one thread. */
    final class Temporary {
        private String target;
        private String path = "";
        private Leftovers.@Nullable Removal removal;
        private boolean renamed;

        private Temporary(String target) {
            this.target = target;
        }

        /** What was written for a multifile shall be a member of it; says which. */
        private String becomeMember() throws CrailException {
            long id = client.status(path).id();
            target = CrailPath.join(target, Create.generatedName(id));
            return target;
        }

        /** Creates it; {@link #end} must follow. */
        CrailFuture<CrailOutputStream> create(long expectedBytes) throws IOException {
            path = CrailPath.temporary(besideOf(target));
            removal = invocation.leftovers().add(this::remove);
            CreateOptions.Builder options =
                    CreateOptions.builder().expectedBytes(expectedBytes).sessionBound(true);
            if (storageClass != null) {
                options.storageClass(storageClass);
            }
            return client.createFileAsync(path, options.build());
        }

        /** Gives it the name of the target, when it is complete. */
        CrailFuture<NodeStatus> rename() throws IOException {
            if (!lifetime.isZero()) {
                client.setAttributes(path, AttributeChange.NONE.lifetime(lifetime));
            }
            return replace
                    ? client.renameAsync(path, target, RenameOption.REPLACE, RenameOption.UNBIND)
                    : client.renameAsync(path, target, RenameOption.UNBIND);
        }

        /** Waits for the outcome of {@link #rename}. */
        void renamed(CrailFuture<?> renaming) throws IOException {
            try {
                Outcome.of(renaming);
                renamed = true;
            } catch (NodeExistsException e) {
                throw replace ? e : exists(target);
            }
        }

        /** Removes it, unless it has become the target. */
        void end() {
            Leftovers.Removal known = removal;
            if (known != null) {
                if (!renamed) {
                    remove();
                }
                invocation.leftovers().forget(known);
            }
        }

        /** The error that led here is the one to tell, not that of this attempt. */
        private void remove() {
            try {
                client.withDeadline(CLEAN_UP).delete(path, false);
            } catch (NoSuchNodeException e) {
                return;
            } catch (CrailException e) {
                invocation.report("remove what was written of " + target, named(e));
            }
        }

        /** The same error, about the target: nobody has asked for the temporary name. */
        CrailException named(CrailException error) {
            String message = String.valueOf(error.getMessage());
            return CrailException.of(
                    error.code(),
                    path.isEmpty()
                            ? message
                            : message.replace(path, target)
                                    .replace(CrailPath.name(path), CrailPath.name(target)),
                    error);
        }
    }

    private static NodeExistsException exists(String target) {
        return new NodeExistsException(target + " exists; use -f to replace it");
    }
}
