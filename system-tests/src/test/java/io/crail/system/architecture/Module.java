// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;

/**
 * The modules whose dependencies are checked. A class belongs to the module it was loaded from, not
 * to one guessed from its package, so that no package can be forgotten.
 */
enum Module {
    PROTOCOL("protocol"),
    CLIENT("client"),
    STATUS("status"),
    NAMENODE("namenode"),
    STORAGE("storage"),
    STORAGE_NVMF_PROTOCOL("storage-nvmf-protocol"),
    STORAGE_NVMF_CLIENT("storage-nvmf-client"),
    STORAGE_NVMF_RDMA("storage-nvmf-rdma"),
    STORAGE_NVMF_SERVER("storage-nvmf-server"),
    MOVER("mover"),
    CLUSTER("cluster"),
    HDFS_ADAPTER("hdfs-adapter"),
    SPARK_SHUFFLE("spark-shuffle"),
    BENCH("bench"),
    CLI("cli"),
    HADOOP_BENCH("hadoop-bench"),
    HDFS_PEER("hdfs-peer"),
    SPARK_BENCH("spark-bench");

    private final String directory;

    Module(String directory) {
        this.directory = directory;
    }

    /** Whether the class file lies in this module's build directory, or in its jar. */
    boolean contains(JavaClass javaClass) {
        return javaClass
                .getBaseComponentType() // an array belongs where its elements do
                .getSource()
                .map(source -> source.getUri().toString())
                .filter(
                        uri ->
                                uri.contains("/" + directory + "/target/classes/")
                                        || uri.matches(".*/crail-" + directory + "-[0-9].*"))
                .isPresent();
    }

    /** Matches the classes of this module. */
    DescribedPredicate<JavaClass> classes() {
        return DescribedPredicate.describe("in module " + directory, this::contains);
    }

    /** Matches our classes that are in none of the given modules. */
    static DescribedPredicate<JavaClass> otherThan(Module... allowed) {
        return DescribedPredicate.describe(
                "of ours outside of " + Arrays.toString(allowed),
                javaClass -> {
                    for (Module module : allowed) {
                        if (module.contains(javaClass)) {
                            return false;
                        }
                    }
                    return javaClass.getPackageName().startsWith("io.crail");
                });
    }

    @Override
    public String toString() {
        return directory;
    }
}
