/** As Postfix writes it. */
export const aBounce = (to: string, status = '5.1.1', action = 'failed') =>
  `From: MAILER-DAEMON@mail.example.org
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4D1F.1/mail.example.org"

This is a MIME-encapsulated message.

--4D1F.1/mail.example.org
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.
Status: 2.0.0

--4D1F.1/mail.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
Arrival-Date: Sun, 29 Nov 2026 12:00:00 +0000 (UTC)

Final-Recipient: rfc822; ann@example.org
Original-Recipient: rfc822;ann@example.org
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 5.1.1 <ann@example.org>: Recipient address
    rejected: User unknown

--4D1F.1/mail.example.org
Content-Type: text/rfc822-headers

Subject: Oak Hills

--4D1F.1/mail.example.org--
`
