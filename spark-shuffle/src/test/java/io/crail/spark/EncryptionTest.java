// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Whether what is in the store can be read there. */
@Tag("spark")
class EncryptionTest {
    private static final String SECRET = "a sentence that nobody else may read";

    @ParameterizedTest
    @CsvSource({"true, 100", "true, 1", "false, 100", "false, 1"})
    void theStoreSeesRecordsOnlyIfTheApplicationDoesNotEncrypt(boolean encrypted, int streams)
            throws IOException {
        Map<String, String> settings =
                Map.of(
                        "spark.io.encryption.enabled",
                        Boolean.toString(encrypted),
                        "spark.shuffle.compress",
                        "false",
                        "spark.serializer",
                        "org.apache.spark.serializer.KryoSerializer",
                        "spark.crail.shuffle.write.maxStreams",
                        Integer.toString(streams));
        try (TestApplication application = TestApplication.start(TestApplication.LOCAL, settings)) {
            List<Integer> numbers = IntStream.range(0, 1000).boxed().toList();
            List<String> values =
                    application
                            .spark()
                            .parallelize(numbers, 2)
                            .mapToPair(number -> new Tuple2<>(number, SECRET))
                            .groupByKey(4)
                            .flatMap(group -> group._2().iterator())
                            .collect();
            assertThat(values).hasSize(1000).containsOnly(SECRET);
            String shuffle = application.directory() + "/0";
            assertThat(application.list(shuffle)).hasSize(2);
            for (String output : application.list(shuffle)) {
                String bytes =
                        new String(
                                application.read(shuffle + "/" + output),
                                StandardCharsets.ISO_8859_1);
                // Kryo marks the last character.
                assertThat(bytes.contains(SECRET.substring(0, SECRET.length() - 1)))
                        .isEqualTo(!encrypted);
            }
        }
    }
}
