// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.message.Create;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes a file of crail so that nothing half-written is ever under its name: first to a temporary
 * name beside it, which is then renamed. That of a member is beside the multifile, lest a reader
 * take it for a member. The temporary file goes when anything fails, and when the command is ended
 * by a signal.
 */
final class RemoteWrite {
    /** Fills a stream. */
    @FunctionalInterface
    interface Source {
        /** Writes everything to the stream; does not close it. */
        void writeTo(CrailOutputStream out) throws IOException;
    }

    /** Says under which name the temporary file, complete now, shall appear. */
    @FunctionalInterface
    private interface Naming {
        String target() throws IOException;
    }

    private static final Duration CLEAN_UP = Duration.ofSeconds(2);

    private final Invocation invocation;
    private final CrailClient client;
    private final boolean replace;

    /** Whether directories that were written into are multifiles. */
    private final Map<String, Boolean> multiFiles = new ConcurrentHashMap<>();

    RemoteWrite(Invocation invocation, CrailClient client, boolean replace) {
        this.invocation = invocation;
        this.client = client;
        this.replace = replace;
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
        String temporary = CrailPath.temporary(besideOf(target));
        writeAndRename(temporary, expectedBytes, source, () -> target);
    }

    /** Adds a member to a multifile, under a name that nobody else has; returns its path. */
    String writeMember(String multiFile, Source source) throws IOException {
        String temporary = CrailPath.temporary(multiFile);
        return writeAndRename(
                temporary,
                0,
                source,
                () -> {
                    long id = client.status(temporary).id();
                    return CrailPath.join(multiFile, Create.generatedName(id));
                });
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

    private String writeAndRename(
            String temporary, long expectedBytes, Source source, Naming naming) throws IOException {
        Leftovers.Removal removal = invocation.leftovers().add(() -> remove(temporary));
        boolean renamed = false;
        try {
            fill(temporary, expectedBytes, source);
            String target = naming.target();
            rename(temporary, target);
            renamed = true;
            return target;
        } finally {
            if (!renamed) {
                remove(temporary);
            }
            invocation.leftovers().forget(removal);
        }
    }

    private void fill(String temporary, long expectedBytes, Source source) throws IOException {
        CrailOutputStream out =
                client.createFile(
                        temporary, CreateOptions.builder().expectedBytes(expectedBytes).build());
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

    private void rename(String temporary, String target) throws IOException {
        try {
            if (replace) {
                client.rename(temporary, target, RenameOption.REPLACE);
            } else {
                client.rename(temporary, target);
            }
        } catch (NodeExistsException e) {
            throw replace ? e : exists(target);
        }
    }

    private static NodeExistsException exists(String target) {
        return new NodeExistsException(target + " exists; use -f to replace it");
    }

    /** The error that led here is the one to tell, not that of this attempt. */
    private void remove(String temporary) {
        try {
            client.withDeadline(CLEAN_UP).delete(temporary, false);
        } catch (NoSuchNodeException e) {
            return;
        } catch (CrailException e) {
            invocation.report("remove temporary file " + temporary, e);
        }
    }
}
