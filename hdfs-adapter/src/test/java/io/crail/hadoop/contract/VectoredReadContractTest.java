// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.contract;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of vectored reads, into buffers on the heap and outside. */
@Tag("hadoop")
@ParameterizedClass(name = "{0}")
@MethodSource("params")
class VectoredReadContractTest extends AbstractContractVectoredReadTest {
    VectoredReadContractTest(String bufferType) {
        super(bufferType);
    }

    @Override
    protected AbstractFSContract createContract(Configuration configuration) {
        return new CrailContract(configuration);
    }
}
