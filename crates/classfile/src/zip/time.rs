//! Times in archives: local, in steps of two seconds, from 1980 on.

/// A time in the local zone of whoever made the archive, in the two words of MS-DOS.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DosTime {
    /// Years since 1980, month, day.
    pub date: u16,
    /// Hours, minutes, half seconds.
    pub time: u16,
}

impl DosTime {
    /// The first instant that can be expressed: 1980-01-01 00:00.
    pub const EPOCH: DosTime = DosTime { date: 0x21, time: 0 };

    /// The time so many seconds after 1970-01-01 00:00, or the nearest that can be expressed.
    pub fn from_unix(seconds: i64) -> Self {
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Years begin in March here, so that the leap day comes last.
        let day = days + 719_468;
        let era = day.div_euclid(146_097);
        let day = day.rem_euclid(146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, year) = (if month < 10 { month + 3 } else { month - 9 }, year + era * 400);
        let year = year + i64::from(month <= 2);
        match year {
            ..1980 => Self::EPOCH,
            1980..=2107 => DosTime {
                date: ((year - 1980) << 9 | month << 5 | day) as u16,
                time: ((second / 3600) << 11 | (second / 60 % 60) << 5 | (second % 60 / 2)) as u16,
            },
            _ => DosTime { date: 127 << 9 | 12 << 5 | 31, time: 23 << 11 | 59 << 5 | 29 },
        }
    }
}
