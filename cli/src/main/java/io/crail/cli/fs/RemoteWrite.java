// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import java.io.IOException;
import java.time.Duration;

/**
 * Writes a file of crail so that nothing half-written is ever under its name: first to a temporary
 * name beside it, which is then renamed. The temporary file goes when anything fails, and when the
 * command is ended by a signal. It is bound to the session, until the rename: so it also goes, a
 * session timeout later, when the command is killed or its host dies.
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

    /**
     * A writer of files.
     *
     * @param replace whether existing files are replaced
     * @param lifetime time to live of the files, once they are complete; zero = without an end
     */
    RemoteWrite(Invocation invocation, CrailClient client, boolean replace, Duration lifetime) {
        this.invocation = invocation;
        this.client = client;
        this.replace = replace;
        this.lifetime = lifetime;
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
        String temporary = CrailPath.temporary(target);
        Leftovers.Removal removal = invocation.leftovers().add(() -> remove(temporary));
        boolean renamed = false;
        try {
            fill(temporary, expectedBytes, source);
            if (!lifetime.isZero()) {
                client.setAttributes(temporary, AttributeChange.NONE.lifetime(lifetime));
            }
            rename(temporary, target);
            renamed = true;
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
                        temporary,
                        CreateOptions.builder()
                                .expectedBytes(expectedBytes)
                                .sessionBound(true)
                                .build());
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
                client.rename(temporary, target, RenameOption.REPLACE, RenameOption.UNBIND);
            } else {
                client.rename(temporary, target, RenameOption.UNBIND);
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
