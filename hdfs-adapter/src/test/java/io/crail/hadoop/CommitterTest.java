// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.ManifestCommitterFactory;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Hadoop's committers leave when attempts of tasks fail, and overtake each other. The local
 * runner of jobs neither tries again nor speculates, so that attempts are driven here as an
 * application master does.
 */
@Tag("hadoop")
@Timeout(120)
class CommitterTest extends Opened {
    private static final Logger LOG = LoggerFactory.getLogger(CommitterTest.class);
    private static final JobID JOB = new JobID("job", 1);

    /** Committers of hadoop-mapreduce-client-core. */
    enum Committer {
        FILE_1 {
            @Override
            void choose(Configuration configuration) {
                configuration.setInt(VERSION, 1);
            }
        },
        FILE_2 {
            @Override
            void choose(Configuration configuration) {
                configuration.setInt(VERSION, 2);
            }
        },
        MANIFEST {
            @Override
            void choose(Configuration configuration) {
                configuration.set(
                        PathOutputCommitterFactory.COMMITTER_FACTORY_CLASS,
                        ManifestCommitterFactory.NAME);
            }
        };

        private static final String VERSION = "mapreduce.fileoutputcommitter.algorithm.version";

        abstract void choose(Configuration configuration);
    }

    /** An attempt of a task, with a committer of its own, as in a process of its own. */
    private final class Attempt {
        private final TaskAttemptContext context;
        private final PathOutputCommitter committer;
        private final int task;

        Attempt(Committer kind, int task, int number) throws IOException {
            this.task = task;
            context =
                    new TaskAttemptContextImpl(
                            configuration(kind),
                            new TaskAttemptID(new TaskID(JOB, TaskType.REDUCE, task), number));
            committer = committer(context);
            committer.setupTask(context);
        }

        FSDataOutputStream begin(String content) throws IOException {
            Path work = committer.getWorkPath();
            FSDataOutputStream out = fs.create(new Path(work, "d" + task + "/part-" + task));
            out.write(content.getBytes(UTF_8));
            return out;
        }

        Attempt write(String content) throws IOException {
            begin(content).close();
            return this;
        }

        void commit() throws IOException {
            assertThat(committer.needsTaskCommit(context)).isTrue();
            committer.commitTask(context);
        }

        void abort() throws IOException {
            committer.abortTask(context);
        }
    }

    private Configuration configuration(Committer kind) {
        Configuration configuration = TestCluster.configuration();
        kind.choose(configuration);
        return configuration;
    }

    private PathOutputCommitter committer(TaskAttemptContext context) throws IOException {
        Path out = path("out");
        return PathOutputCommitterFactory.getCommitterFactory(out, context.getConfiguration())
                .createOutputCommitter(fs.makeQualified(out), context);
    }

    private PathOutputCommitter ofJob(Committer kind) throws IOException {
        return committer(
                new TaskAttemptContextImpl(
                        configuration(kind),
                        new TaskAttemptID(new TaskID(JOB, TaskType.JOB_SETUP, 0), 0)));
    }

    /** Names and contents of everything below the output, hidden or not. */
    private List<String> left() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> directories = new ArrayList<>(List.of(path("out")));
        while (!directories.isEmpty()) {
            for (FileStatus each : fs.listStatus(directories.remove(0))) {
                if (each.isDirectory()) {
                    directories.add(each.getPath());
                }
                boolean mark = each.getPath().getName().equals("_SUCCESS");
                found.add(
                        each.getPath().getName()
                                + (each.isDirectory() || mark
                                        ? ""
                                        : "=" + new String(read(each.getPath()), UTF_8)));
            }
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void ofEachTaskTheCommittedAttemptIsLeftAlone(Committer kind) throws IOException {
        JobContext job = new JobContextImpl(configuration(kind), JOB);
        PathOutputCommitter ofJob = ofJob(kind);
        ofJob.setupJob(job);

        Attempt failing = new Attempt(kind, 0, 0);
        FSDataOutputStream half = failing.begin("half");
        half.hflush();
        failing.abort(); // its process is gone, with the stream open
        new Attempt(kind, 0, 1).write("second attempt").commit();

        Attempt straggler = new Attempt(kind, 1, 0).write("slow");
        Attempt overtaking = new Attempt(kind, 1, 1).write("fast");
        overtaking.commit();
        straggler.abort();

        Attempt forgotten = new Attempt(kind, 2, 0).write("nobody ended this attempt");
        Attempt writing = new Attempt(kind, 2, 1);
        FSDataOutputStream late = writing.begin("still being written");
        new Attempt(kind, 2, 2).write("third attempt").commit();

        ofJob.commitJob(job);
        List<String> expected =
                List.of(
                        "_SUCCESS",
                        "d0",
                        "d1",
                        "d2",
                        "part-0=second attempt",
                        "part-1=fast",
                        "part-2=third attempt");
        assertThat(left()).containsExactlyInAnyOrderElementsOf(expected);

        // Whoever comes after the end changes nothing.
        close(half);
        close(late);
        forgotten.abort();
        writing.abort();
        assertThat(left()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(fs.listStatus(directory)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void anAbortedJobLeavesNothingOfItsTasks(Committer kind) throws IOException {
        JobContext job = new JobContextImpl(configuration(kind), JOB);
        PathOutputCommitter ofJob = ofJob(kind);
        ofJob.setupJob(job);
        new Attempt(kind, 1, 0).write("not committed");
        if (kind != Committer.FILE_2) { // that one publishes with the task
            new Attempt(kind, 0, 0).write("committed").commit();
        }
        ofJob.abortJob(job, JobStatus.State.FAILED);
        assertThat(left()).isEmpty();
    }

    /**
     * Closes what writes to a file that is gone: whether that is told depends on how long it is.
     */
    private static void close(FSDataOutputStream out) {
        try {
            out.close();
        } catch (IOException e) {
            LOG.info("a late writer was told", e);
        }
    }
}
