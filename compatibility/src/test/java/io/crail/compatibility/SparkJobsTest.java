// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of Spark whose input, output, and committer's directories are on crail. */
@Tag("hadoop")
@Timeout(180)
class SparkJobsTest {
    private static final StructType SCHEMA =
            StructType.fromDDL("id INT, kind STRING, amount DOUBLE, name STRING");
    private static final int FILES = 4;
    private static final int ROWS_IN_A_FILE = 2500;
    private static final List<String> KINDS = List.of("red", "green", "blue");
    private static final String COMMITTER = "mapreduce.fileoutputcommitter.algorithm.version";

    @TempDir private static java.nio.file.Path local;

    private static ServerProcesses servers;
    private static SparkCluster cluster;
    private static SparkSession spark;
    private static FileSystem fs;

    private Path directory = new Path("/");

    @BeforeAll
    static void start() throws IOException {
        servers = ServerProcesses.start(local);
        SparkConf configuration = configuration();
        cluster = new SparkCluster(configuration, local.resolve("work"));
        spark = SparkSession.builder().master(cluster.url()).config(configuration).getOrCreate();
        fs = FileSystem.newInstance(servers.uri(), new Configuration());
        for (int i = 0; i < FILES; i++) {
            try (FSDataOutputStream out = fs.create(new Path("/in/" + i + ".csv"))) {
                out.write(csv(i * ROWS_IN_A_FILE).getBytes(UTF_8));
            }
        }
    }

    private static SparkConf configuration() {
        return new SparkConf(false)
                .setAppName("jobs on crail")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.ui.enabled", "false")
                .set("spark.master.rest.enabled", "false")
                .set("spark.local.dir", local.resolve("spark").toString())
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                .set("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
                .set("spark.executor.memory", "640m")
                .set("spark.locality.wait", "0")
                .set("spark.speculation", "true")
                .set("spark.speculation.interval", "50ms")
                .set("spark.speculation.quantile", "0.5")
                .set("spark.speculation.multiplier", "1.1")
                .set("spark.sql.shuffle.partitions", "2")
                .set("spark.sql.sources.partitionOverwriteMode", "dynamic")
                .set("spark.sql.warehouse.dir", servers.uri() + "warehouse")
                // A task for each file, however small.
                .set("spark.sql.files.openCostInBytes", "128MB")
                .set("spark.hadoop.fs.defaultFS", servers.uri().toString());
    }

    @AfterAll
    static void stop() throws IOException {
        fs.close();
        spark.stop();
        cluster.close();
        servers.close();
    }

    @BeforeEach
    void chooseDirectory(TestInfo test) {
        directory =
                new Path(
                        "/"
                                + test.getTestMethod().orElseThrow().getName()
                                + "/"
                                + test.getDisplayName().replaceAll("\\W", ""));
    }

    private static String row(int id) {
        return id + "," + KINDS.get(id % KINDS.size()) + "," + id / 8.0 + ",name " + id;
    }

    private static String csv(int first) {
        return IntStream.range(first, first + ROWS_IN_A_FILE)
                .mapToObj(id -> row(id) + "\n")
                .collect(Collectors.joining("", "id,kind,amount,name\n", ""));
    }

    private static List<String> rows(IntPredicate wanted) {
        return IntStream.range(0, FILES * ROWS_IN_A_FILE)
                .filter(wanted)
                .mapToObj(SparkJobsTest::row)
                .toList();
    }

    private static List<String> collected(Dataset<Row> rows) {
        return rows.select("id", "kind", "amount", "name").orderBy("id").collectAsList().stream()
                .map(row -> row.mkString(","))
                .toList();
    }

    private static Dataset<Row> input(Disturbance disturbance) {
        return spark.read()
                .schema(SCHEMA)
                .option("header", true)
                .csv("/in")
                .mapPartitions(disturbance, Encoders.row(SCHEMA));
    }

    private String out() {
        return new Path(directory, "out").toString();
    }

    /** Everything below a directory, relative to it, whatever it is called. */
    private static List<String> tree(String directory) throws IOException {
        List<String> names = new ArrayList<>();
        URI root = fs.makeQualified(new Path(directory)).toUri();
        List<Path> left = new ArrayList<>(List.of(new Path(directory)));
        while (!left.isEmpty()) {
            for (FileStatus each : fs.listStatus(left.remove(left.size() - 1))) {
                names.add(root.relativize(each.getPath().toUri()).getPath());
                if (each.isDirectory()) {
                    left.add(each.getPath());
                }
            }
        }
        return names;
    }

    /** One file of each task, all of one job, its mark of success, and nothing else. */
    private void assertOneFileOfEachTask() throws IOException {
        List<String> names = tree(out());
        assertThat(names).hasSize(FILES + 1).contains("_SUCCESS");
        names.remove("_SUCCESS");
        Set<String> jobs = new TreeSet<>();
        Set<String> tasks = new TreeSet<>();
        for (String name : names) {
            assertThat(name).matches("part-\\d{5}-[0-9a-f-]{36}-c000\\.snappy\\.parquet");
            tasks.add(name.substring("part-".length(), "part-00000".length()));
            jobs.add(name.substring("part-00000-".length(), "part-00000-".length() + 36));
        }
        assertThat(tasks).containsExactly("00000", "00001", "00002", "00003");
        assertThat(jobs).hasSize(1);
        assertThat(fs.listStatus(directory)).hasSize(1);
    }

    @Test
    void whatIsWrittenAsParquetIsReadBackWithFilters() throws IOException {
        input(Disturbance.NONE).write().option("parquet.block.size", 32 << 10).parquet(out());
        assertOneFileOfEachTask();
        Dataset<Row> read = spark.read().parquet(out());
        assertThat(collected(read)).isEqualTo(rows(id -> true));
        Dataset<Row> some = read.filter("id >= 2400 AND id < 2700 AND kind = 'blue'");
        assertThat(some.queryExecution().executedPlan().toString())
                .contains("PushedFilters", "GreaterThanOrEqual(id,2400)", "EqualTo(kind,blue)");
        assertThat(collected(some)).isEqualTo(rows(id -> id >= 2400 && id < 2700 && id % 3 == 2));
        assertThat(read.groupBy("kind").count().orderBy("kind").collectAsList())
                .extracting(row -> row.mkString(" "))
                .containsExactly("blue 3333", "green 3333", "red 3334");
    }

    @Test
    void columnsOfParquetAreReadAsVectors() throws IOException {
        input(Disturbance.NONE).write().parquet(out());
        String part =
                tree(out()).stream()
                        .filter(name -> name.startsWith("part-"))
                        .findAny()
                        .orElseThrow();
        Configuration configuration = new Configuration();
        Path file = fs.makeQualified(new Path(out(), part));
        var statistics = ((IOStatisticsSource) file.getFileSystem(configuration)).getIOStatistics();
        Long before = statistics.counters().get("stream_read_vectored_operations");
        try (ParquetFileReader reader =
                ParquetFileReader.open(HadoopInputFile.fromPath(file, configuration))) {
            assertThat(reader.readNextRowGroup().getRowCount()).isEqualTo(ROWS_IN_A_FILE);
        }
        assertThat(statistics.counters().get("stream_read_vectored_operations"))
                .isGreaterThan(before);
    }

    @Test
    void partitionsAreAppendedToAndReplaced() throws IOException {
        input(Disturbance.NONE).write().partitionBy("kind").parquet(out());
        assertThat(tree(out())).hasSize(1 + KINDS.size() * (1 + FILES));
        input(Disturbance.NONE).write().partitionBy("kind").mode(SaveMode.Append).parquet(out());
        assertThat(tree(out())).hasSize(1 + KINDS.size() * (1 + 2 * FILES));
        assertThat(spark.read().parquet(out()).count()).isEqualTo(2L * FILES * ROWS_IN_A_FILE);
        // Of a dynamic overwrite, only the partitions that it writes are replaced.
        input(Disturbance.NONE)
                .filter("kind = 'red' AND id < 600")
                .write()
                .partitionBy("kind")
                .mode(SaveMode.Overwrite)
                .parquet(out());
        assertThat(tree(out())).hasSize(1 + KINDS.size() + 1 + 2 * 2 * FILES);
        Dataset<Row> read = spark.read().parquet(out());
        assertThat(collected(read.filter("kind = 'red'")))
                .isEqualTo(rows(id -> id % 3 == 0 && id < 600));
        assertThat(read.filter("kind = 'blue'").count()).isEqualTo(2 * 3333);
        assertThat(fs.listStatus(directory)).hasSize(1);
    }

    @Test
    void anOverwriteReplacesEverything() throws IOException {
        input(Disturbance.NONE).write().parquet(out());
        assertThatThrownBy(() -> input(Disturbance.NONE).write().parquet(out()))
                .hasMessageContaining("already exists");
        input(Disturbance.NONE)
                .filter("id < 2600")
                .coalesce(1)
                .write()
                .mode(SaveMode.Overwrite)
                .parquet(out());
        assertThat(tree(out())).hasSize(2).contains("_SUCCESS");
        assertThat(collected(spark.read().parquet(out()))).isEqualTo(rows(id -> id < 2600));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTaskThatFailsOnceLeavesItsFileOnce(int version) throws IOException {
        TaskEnds ends = new TaskEnds();
        spark.sparkContext().addSparkListener(ends);
        input(Disturbance.FAILURE).write().option(COMMITTER, version).parquet(out());
        Awaitility.await().until(() -> ends.failed() >= 1);
        spark.sparkContext().removeSparkListener(ends);
        assertOneFileOfEachTask();
        assertThat(collected(spark.read().parquet(out()))).isEqualTo(rows(id -> true));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aTaskThatIsOvertakenLeavesItsFileOnce(int version) throws IOException {
        TaskEnds ends = new TaskEnds();
        spark.sparkContext().addSparkListener(ends);
        input(Disturbance.STANDSTILL).write().option(COMMITTER, version).parquet(out());
        // The overtaken attempt cleans up behind itself after the job.
        Awaitility.await().until(() -> ends.killed() >= 1);
        spark.sparkContext().removeSparkListener(ends);
        assertThat(ends.speculative()).isPositive();
        assertOneFileOfEachTask();
        assertThat(collected(spark.read().parquet(out()))).isEqualTo(rows(id -> true));
    }

    @Test
    void textIsWrittenByTheOldCommitterToo() throws IOException {
        input(Disturbance.FAILURE).toJavaRDD().map(row -> row.mkString(",")).saveAsTextFile(out());
        assertThat(tree(out()))
                .containsExactlyInAnyOrder(
                        "_SUCCESS", "part-00000", "part-00001", "part-00002", "part-00003");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            try (var in = fs.open(new Path(out(), "part-0000" + i))) {
                try (Stream<String> text = new String(in.readAllBytes(), UTF_8).lines()) {
                    text.forEach(lines::add);
                }
            }
        }
        assertThat(lines).containsExactlyInAnyOrderElementsOf(rows(id -> true));
    }
}
