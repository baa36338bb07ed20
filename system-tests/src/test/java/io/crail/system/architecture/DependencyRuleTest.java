// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.crail.system.architecture.Module.BENCH;
import static io.crail.system.architecture.Module.CLI;
import static io.crail.system.architecture.Module.CLIENT;
import static io.crail.system.architecture.Module.CLUSTER;
import static io.crail.system.architecture.Module.HADOOP_BENCH;
import static io.crail.system.architecture.Module.HDFS_ADAPTER;
import static io.crail.system.architecture.Module.HDFS_PEER;
import static io.crail.system.architecture.Module.MOVER;
import static io.crail.system.architecture.Module.NAMENODE;
import static io.crail.system.architecture.Module.PROTOCOL;
import static io.crail.system.architecture.Module.SPARK_BENCH;
import static io.crail.system.architecture.Module.SPARK_SHUFFLE;
import static io.crail.system.architecture.Module.STATUS;
import static io.crail.system.architecture.Module.STORAGE;
import static io.crail.system.architecture.Module.STORAGE_NVMF_CLIENT;
import static io.crail.system.architecture.Module.STORAGE_NVMF_PROTOCOL;
import static io.crail.system.architecture.Module.STORAGE_NVMF_RDMA;
import static io.crail.system.architecture.Module.STORAGE_NVMF_SERVER;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.crail.protocol.local.Ownership;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The dependency rule: which module may use what, and that no packages use each other in turn. */
class DependencyRuleTest {

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.crail");

    @ParameterizedTest
    @EnumSource(Module.class)
    void everyModuleIsSeenByTheseTests(Module module) {
        assertThat(CLASSES.that(module.classes())).isNotEmpty();
    }

    @Test
    void everyClassBelongsToOneModule() {
        assertThat(CLASSES.that(Module.otherThan(Module.values()))).isEmpty();
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.crail.(**)").should().beFreeOfCycles());
    }

    @Test
    void protocolDependsOnNothingOfOurs() {
        checkDependencies(PROTOCOL);
    }

    @Test
    void clientDependsOnProtocolOnly() {
        checkDependencies(CLIENT, PROTOCOL);
    }

    @Test
    void statusDependsOnProtocolOnly() {
        checkDependencies(STATUS, PROTOCOL);
    }

    @Test
    void namenodeDependsOnProtocolAndStatusOnly() {
        checkDependencies(NAMENODE, PROTOCOL, STATUS);
    }

    @Test
    void storageDependsOnProtocolAndStatusOnly() {
        checkDependencies(STORAGE, PROTOCOL, STATUS);
    }

    /** It copies as any client does; who runs it is somebody else's business. */
    @Test
    void moverDependsOnClientOnly() {
        checkDependencies(MOVER, PROTOCOL, CLIENT);
    }

    @Test
    void nvmfProtocolDependsOnNothingOfOurs() {
        checkDependencies(STORAGE_NVMF_PROTOCOL);
    }

    /** It reaches executors: no server code comes with it. */
    @Test
    void nvmfClientDependsOnClientAndItsProtocolOnly() {
        checkDependencies(STORAGE_NVMF_CLIENT, STORAGE_NVMF_PROTOCOL, PROTOCOL, CLIENT);
    }

    /** The initiator serves those who have no crail, too. Whose a file is, is nothing of crail. */
    @Test
    void nvmfInitiatorKnowsNothingOfCrail() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage("io.crail.nvmf.initiator..")
                        .should()
                        .dependOnClassesThat(
                                resideOutsideOfPackages(
                                                "io.crail.nvmf.initiator..", "io.crail.nvmf.wire..")
                                        .and(resideInAPackage("io.crail.."))
                                        .and(not(type(Ownership.class)))));
    }

    /** Of the client half it uses the initiator, for targets of others, and nothing of a client. */
    @Test
    void nvmfServerDependsOnStorageItsProtocolAndTheInitiatorOnly() {
        checkDependencies(
                STORAGE_NVMF_SERVER,
                STORAGE_NVMF_PROTOCOL,
                STORAGE_NVMF_CLIENT,
                PROTOCOL,
                STATUS,
                STORAGE);
        check(
                noClasses()
                        .that(STORAGE_NVMF_SERVER.classes())
                        .should()
                        .dependOnClassesThat(resideInAPackage("io.crail.nvmf.path..")));
    }

    /** Both halves dial by it; blocks and sessions are theirs. */
    @Test
    void nvmfFabricKnowsNothingOfCrail() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage("io.crail.nvmf.fabric..")
                        .should()
                        .dependOnClassesThat(
                                resideOutsideOfPackages(
                                                "io.crail.nvmf.fabric..",
                                                "io.crail.nvmf.initiator..",
                                                "io.crail.nvmf.wire..")
                                        .and(resideInAPackage("io.crail.."))));
    }

    @Test
    void nvmfRdmaDependsOnTheInitiatorOnly() {
        checkDependencies(STORAGE_NVMF_RDMA, STORAGE_NVMF_PROTOCOL, STORAGE_NVMF_CLIENT);
    }

    /** It needs a flag and a native library, which nobody gets who does not ask for RDMA. */
    @ParameterizedTest
    @EnumSource(
            names = {"STORAGE_NVMF_RDMA"},
            mode = EnumSource.Mode.EXCLUDE)
    void disniStaysInTheRdmaModule(Module module) {
        check(
                noClasses()
                        .that(module.classes())
                        .should()
                        .dependOnClassesThat(
                                resideInAnyPackage("com.ibm.disni..", "io.crail.nvmf.rdma..")));
    }

    /** The target serves those who have no crail, too. */
    @Test
    void nvmfTargetKnowsNothingOfCrail() {
        check(
                noClasses()
                        .that()
                        .resideInAPackage("io.crail.nvmf.target..")
                        .should()
                        .dependOnClassesThat(
                                resideOutsideOfPackages(
                                                "io.crail.nvmf.target..", "io.crail.nvmf.wire..")
                                        .and(resideInAPackage("io.crail.."))));
    }

    @Test
    void clusterDependsOnClientAndServers() {
        checkDependencies(CLUSTER, PROTOCOL, CLIENT, MOVER, STATUS, NAMENODE, STORAGE);
    }

    @Test
    void cliDependsOnClientAndFindsTheRestAtRunTime() {
        checkDependencies(CLI, PROTOCOL, CLIENT, BENCH, MOVER);
    }

    /** It runs inside other people's JVMs: Hadoop is what they bring. */
    @Test
    void hdfsAdapterDependsOnClientOnly() {
        checkDependencies(HDFS_ADAPTER, PROTOCOL, CLIENT);
    }

    /** It runs inside other people's JVMs: Spark is what they bring. */
    @Test
    void sparkShuffleDependsOnClientOnly() {
        checkDependencies(SPARK_SHUFFLE, PROTOCOL, CLIENT);
    }

    /** What is measured runs in other processes; the target has its main class in bench. */
    @Test
    void benchDependsOnClientAndBothEndsOfNvmeOnly() {
        checkDependencies(BENCH, PROTOCOL, CLIENT, STORAGE_NVMF_CLIENT, STORAGE_NVMF_SERVER);
    }

    /** The command finds it at run time, and it finds the file system as everybody does. */
    @Test
    void hadoopBenchDependsOnClientAndBenchOnly() {
        checkDependencies(HADOOP_BENCH, PROTOCOL, CLIENT, BENCH);
    }

    /** It is what crail is compared with. */
    @Test
    void hdfsPeerDependsOnNothingOfOurs() {
        checkDependencies(HDFS_PEER);
    }

    /** What it says to the command, bench knows; of the plug-in it uses what applications may. */
    @Test
    void sparkBenchDependsOnBenchAndPlugInOnly() {
        checkDependencies(SPARK_BENCH, BENCH, SPARK_SHUFFLE);
    }

    /** Both run inside other people's JVMs: the platform and slf4j are all they may use. */
    @ParameterizedTest
    @EnumSource(names = {"PROTOCOL", "CLIENT", "STORAGE_NVMF_PROTOCOL", "STORAGE_NVMF_CLIENT"})
    void whatRunsInOtherPeoplesJvmsUsesOnlyThePlatformAndSlf4j(Module module) {
        check(
                classes()
                        .that(module.classes())
                        .should()
                        .onlyDependOnClassesThat(
                                resideInAnyPackage(
                                        "java..",
                                        "javax..",
                                        "org.slf4j..",
                                        "org.jspecify.annotations..",
                                        "io.crail..")));
    }

    /** Servers, too, run without a flag when they are embedded. */
    @ParameterizedTest
    @EnumSource(Module.class)
    void nothingUsesInternalsOfTheJdk(Module module) {
        check(
                noClasses()
                        .that(module.classes())
                        .should()
                        .dependOnClassesThat(resideInAnyPackage("sun..", "jdk.internal..")));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"STORAGE", "STORAGE_NVMF_SERVER"},
            mode = EnumSource.Mode.EXCLUDE)
    void nettyStaysInTheStorageServer(Module module) {
        check(
                noClasses()
                        .that(module.classes())
                        .should()
                        .dependOnClassesThat(resideInAPackage("io.netty..")));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"STATUS"},
            mode = EnumSource.Mode.EXCLUDE)
    void prometheusStaysInTheStatusModule(Module module) {
        check(
                noClasses()
                        .that(module.classes())
                        .should()
                        .dependOnClassesThat(resideInAPackage("io.prometheus..")));
    }

    private static void checkDependencies(Module module, Module... allowed) {
        Module[] reachable = Arrays.copyOf(allowed, allowed.length + 1);
        reachable[allowed.length] = module;
        check(
                noClasses()
                        .that(module.classes())
                        .should()
                        .dependOnClassesThat(Module.otherThan(reachable)));
    }

    /** Holds for modules that are still without classes, too. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
