// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that sends invoices, which agents may ask for. */
@SpringBootApplication
public class InvoicesApplication {

    public static void main(String[] args) {
        SpringApplication.run(InvoicesApplication.class, args);
    }
}
