// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose input, output, and committer's directories are on crail. */
@Tag("hadoop")
@Timeout(120)
class MapReduceTest extends Opened {
    private static final int ROWS = 100_000;

    @TempDir private java.nio.file.Path local;

    private Configuration job() {
        Configuration configuration = TestCluster.configuration();
        configuration.set("mapreduce.framework.name", "local");
        configuration.set("hadoop.tmp.dir", local.toString()); // of the local runner
        configuration.setInt("mapreduce.job.maps", 3);
        configuration.setInt("mapreduce.job.reduces", 2);
        return configuration;
    }

    private List<String> files(Path path) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus each : fs.listStatus(path)) {
            names.add(each.getPath().getName());
        }
        return names;
    }

    private int run(Tool tool, String... arguments) {
        try {
            return ToolRunner.run(job(), tool, arguments);
        } catch (Exception e) { // that is what tools declare
            throw new AssertionError(tool.getClass() + " failed", e);
        }
    }

    @Test
    void whatIsSortedIsInOrderAndWhole() throws IOException {
        String generated = path("generated").toString();
        String sorted = path("sorted").toString();
        assertThat(run(new TeraGen(), String.valueOf(ROWS), generated)).isZero();
        assertThat(run(new TeraSort(), generated, sorted)).isZero();
        assertThat(fs.getContentSummary(path("sorted")).getLength())
                .isGreaterThanOrEqualTo(100L * ROWS);
        assertThat(files(path("sorted")))
                .contains("_SUCCESS", "part-r-00000", "part-r-00001")
                .doesNotContain("_temporary");
        assertThat(run(new TeraValidate(), sorted, path("report").toString())).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wordsAreCountedByEitherCommitter(int version)
            throws IOException, InterruptedException, ClassNotFoundException {
        write("in/a", "to be or not\n".getBytes(UTF_8));
        write("in/b", "to be\n".getBytes(UTF_8));
        assertThat(count(WordCount.TokenizerMapper.class, version)).isTrue();
        assertThat(files(path("out")))
                .containsExactlyInAnyOrder("_SUCCESS", "part-r-00000", "part-r-00001");
        String all =
                new String(read(path("out/part-r-00000")), UTF_8)
                        + new String(read(path("out/part-r-00001")), UTF_8);
        assertThat(all.lines()).containsExactlyInAnyOrder("to\t2", "be\t2", "or\t1", "not\t1");
    }

    @Test
    void aJobThatFailsLeavesNoResult()
            throws IOException, InterruptedException, ClassNotFoundException {
        write("in/a", "to be or not\n".getBytes(UTF_8));
        assertThat(count(Failing.class, 1)).isFalse();
        assertThat(files(path("out"))).isEmpty();
    }

    private boolean count(Class<? extends Mapper<Object, Text, Text, IntWritable>> mapper, int v)
            throws IOException, InterruptedException, ClassNotFoundException {
        Configuration configuration = job();
        configuration.setInt("mapreduce.fileoutputcommitter.algorithm.version", v);
        Job job = Job.getInstance(configuration, "count");
        job.setMapperClass(mapper);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setNumReduceTasks(2);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, path("in"));
        FileOutputFormat.setOutputPath(job, path("out"));
        return job.waitForCompletion(false);
    }

    /** Writes, and then fails. */
    public static final class Failing extends Mapper<Object, Text, Text, IntWritable> {
        @Override
        protected void map(Object key, Text value, Context context)
                throws IOException, InterruptedException {
            context.write(value, new IntWritable(1));
            throw new IOException("on purpose");
        }
    }
}
