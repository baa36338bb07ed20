// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.contract;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.tools.contract.AbstractContractDistCpTest;
import org.junit.jupiter.api.Tag;

/** Copies trees between the local file system and crail, both ways. */
@Tag("hadoop")
class DistCpContractTest extends AbstractContractDistCpTest {
    @Override
    protected AbstractFSContract createContract(Configuration configuration) {
        return new CrailContract(configuration);
    }
}
