// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.spring;

/** Sends invoices to customers. */
interface Outbox {

    /** Sends an invoice, and gives the mark of its dispatch. */
    String send(String invoice) throws Exception;
}
