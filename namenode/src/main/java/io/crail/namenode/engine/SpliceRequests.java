// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.state.ConcatFiles;
import io.crail.namenode.state.TruncateFile;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Truncate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** CONCAT and TRUNCATE: files that are joined and cut where they are (docs/adr/0014-concat.md). */
final class SpliceRequests {
    private final Core core;
    private final Paths paths;
    private final FileRequests files;
    private final Quotas quotas;
    private final LengthWaiters waiters;
    private final RepairRequests repairs;

    SpliceRequests(
            Core core,
            Paths paths,
            FileRequests files,
            Quotas quotas,
            LengthWaiters waiters,
            RepairRequests repairs) {
        this.core = core;
        this.paths = paths;
        this.files = files;
        this.quotas = quotas;
        this.waiters = waiters;
        this.repairs = repairs;
    }

    private FileNode file(Request request, byte[] path) throws CrailException {
        Node node = paths.existing(request, path);
        if (node instanceof FileNode file) {
            return file;
        }
        throw new WrongNodeTypeException(
                node.path() + " is a " + node.type() + ", only a FILE can be joined or cut");
    }

    void concat(Request request) throws CrailException {
        Concat.Request wanted = Concat.Request.decode(request.control());
        int count = wanted.sources().size();
        if (count == 0 || count > Concat.MAX_SOURCES) {
            throw new InvalidArgumentException(
                    "%d files to be appended; 1 to %d can be at a time"
                            .formatted(count, Concat.MAX_SOURCES));
        }
        FileNode target = file(request, wanted.target());
        List<FileNode> sources = new ArrayList<>(count);
        for (Concat.Source source : wanted.sources()) {
            sources.add(file(request, source.path()));
        }
        check(target, sources);
        core.commit(
                request,
                new ConcatFiles(
                        target.id(),
                        sources.stream().map(Node::id).toList(),
                        core.millis(),
                        core.state().lastVersion() + 1));
        waiters.changed(target);
        repairs.moved(target);
    }

    private void check(FileNode target, List<FileNode> sources) throws CrailException {
        Set<Node> seen = new HashSet<>(Set.of(target));
        long extents = target.blocks();
        files.checkNotWritten(target);
        for (FileNode source : sources) {
            if (!seen.add(source)) {
                throw new InvalidArgumentException(
                        source.path()
                                + (source == target
                                        ? " cannot be appended to itself"
                                        : " is named twice"));
            }
            if (source.attributes().checksums() != target.attributes().checksums()) {
                throw new InvalidArgumentException(
                        "%s has %s and %s has %s: they cannot be one file; copy its bytes"
                                .formatted(
                                        target.path(),
                                        checksums(target),
                                        source.path(),
                                        checksums(source)));
            }
            files.checkNotWritten(source);
            extents += source.blocks();
        }
        CommitCheck.checkCount(extents);
        quotas.checkConcat(target, sources);
    }

    private static String checksums(FileNode file) {
        return file.attributes().checksums() ? "checksums" : "no checksums";
    }

    void truncate(Request request) throws CrailException {
        Truncate.Request wanted = Truncate.Request.decode(request.control());
        FileNode file = file(request, wanted.path());
        files.checkNotWritten(file);
        if (wanted.length() > file.length()) {
            throw new OffsetOutOfRangeException(
                    "%s has %d bytes and cannot be cut to %d"
                            .formatted(file.path(), file.length(), wanted.length()));
        }
        if (wanted.version() != file.version()) {
            throw new ConditionFailedException(
                    "%s has version %d, not %d: it has changed; look at it again"
                            .formatted(file.path(), file.version(), wanted.version()));
        }
        if (wanted.tailCrc() != 0 && !endsWithinChunk(file, wanted.length())) {
            throw new InvalidArgumentException(
                    "%s needs no tail checksum at %d bytes; it must be 0"
                            .formatted(file.path(), wanted.length()));
        }
        if (wanted.length() == file.length()) {
            file.encodeStatus(request.beginReply());
            core.endReply(request.connection());
            return;
        }
        TruncateFile cut =
                new TruncateFile(
                        file.id(),
                        core.state().lastNodeId() + 1,
                        wanted.length(),
                        wanted.tailCrc(),
                        core.millis(),
                        core.state().lastVersion() + 1);
        core.commit(request, cut);
        waiters.changed(file);
        if (core.state().tree().byId(cut.rest()) instanceof FileNode rest) {
            repairs.moved(rest);
        }
    }

    /** Whether a file cut there has a last chunk that needs a checksum of its own. */
    private static boolean endsWithinChunk(FileNode file, long length) {
        if (length == 0 || !file.attributes().checksums()) {
            return false;
        }
        ExtentList list = file.extents();
        int last = list.find(length - 1);
        long used = length - list.offset(last);
        return used < list.length(last) && used % BlockGeometry.CHUNK_SIZE != 0;
    }
}
