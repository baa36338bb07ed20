// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.NamenodeKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a namenode could use its metadata directory. Who has it locked is read from the kernel's
 * table (proc(5), {@code /proc/locks}): taking the lock to find out could make a namenode that
 * starts at this moment fail.
 */
final class MetadataCheck implements Check {
    private static final long ROOM = 1L << 30;
    private static final int PID = 4;
    private static final int FILE = 5;

    private final Machine machine;
    private final Configuration values;

    MetadataCheck(Machine machine, Configuration values) {
        this.machine = machine;
        this.values = values;
    }

    @Override
    public String subject() {
        return "metadata";
    }

    @Override
    public List<Finding> look() {
        Path directory = values.get(NamenodeKeys.METADATA_DIRECTORY).toAbsolutePath();
        Path there = Machine.existing(directory);
        boolean exists = there.equals(directory.normalize());
        List<Finding> found = new ArrayList<>();
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            String what =
                    exists
                            ? directory + " cannot be written by this user"
                            : directory + " is not there, and this user cannot make it in " + there;
            String remedy =
                    "as root: install -d -m 0700 -o USER "
                            + directory
                            + "; or set namenode.metadata.dir; a machine without namenode needs"
                            + " none";
            // Most machines have no namenode: who has named the directory wants one.
            boolean wanted = values.isSet(NamenodeKeys.METADATA_DIRECTORY);
            found.add(wanted ? Finding.problem(what, remedy) : Finding.warning(what, remedy));
            return found;
        }
        Optional<String> holder = holder(directory.resolve("lock"));
        found.add(
                Finding.ok(
                        holder.map(pid -> directory + " is in use by the namenode, process " + pid)
                                .orElse(
                                        exists
                                                ? directory + " can be written and is not in use"
                                                : directory + " can be made in " + there)));
        room(there).ifPresent(found::add);
        return found;
    }

    private Optional<Finding> room(Path there) {
        try {
            long usable = machine.spaceOf(there).usable();
            return usable >= ROOM
                    ? Optional.empty()
                    : Optional.of(
                            Finding.warning(
                                    Text.size(usable)
                                            + " are free there: a log that cannot grow makes the"
                                            + " namenode read-only",
                                    "make room, or set namenode.metadata.dir to another disk"));
        } catch (IOException e) {
            return Optional.of(
                    Finding.warning(
                            "the file system of " + there + " does not tell its free space: " + e,
                            "see whether the disk is there and whole"));
        }
    }

    /**
     * The process that has a file locked. By its number alone: some file systems tell another
     * device in the table than stat does.
     */
    private Optional<String> holder(Path file) {
        try {
            String inode = ":" + Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
            return machine.read("proc/locks")
                    .orElse("")
                    .lines()
                    .map(line -> line.strip().split(" +"))
                    .filter(fields -> fields.length > FILE && fields[FILE].endsWith(inode))
                    .map(fields -> fields[PID])
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
